/** Starts the page. */

import './style.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { followHead } from './client/live.ts'

/** uPlot makes a number format of the browser's language, and fails if that is no language tag, such as `en-US@posix`. */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' })
}

const page = document.getElementById('page')
if (page !== null) render(<App />, page)
followHead()
