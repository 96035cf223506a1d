/** Starts the page. */

import './style.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { followHead } from './client/live.ts'

const page = document.getElementById('page')
if (page !== null) render(<App />, page)
followHead()
