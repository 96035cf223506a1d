/** Starts the page. */

import { render } from 'preact'
import { App } from './app.tsx'
import { followHead } from './client/live.ts'
import './style.css'

const page = document.getElementById('page')
if (page !== null) render(<App />, page)
followHead()
