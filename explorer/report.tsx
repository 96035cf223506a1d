/** Starts the page of a file of failures, which is inside of the page and runs in it. */

import './style.css'
import { gunzipSync } from 'node:zlib'
import { render, type VNode } from 'preact'
import { Route, Router, Switch } from 'wouter-preact'
import { useHashLocation } from 'wouter-preact/use-hash-location'
import { NodeError } from '../lib/base/errors.ts'
import { network33 } from '../lib/modules/network-33/index.ts'
import { openReport } from '../lib/modules/report/opened-report.ts'
import { decodeReport } from '../lib/modules/report/report-file.ts'
import { ethereumKind } from '../lib/networks/ethereum/consensus/ethereum.ts'
import { askBy } from './client/json-rpc.ts'
import { usePageTitle } from './client/page-title.ts'
import { FailurePage, FailuresPage } from './pages/failures-page.tsx'

const Page = ({ written }: { readonly written: string }): VNode => (
  <Router hook={useHashLocation}>
    <header>
      <a class="brand" href="#/">
        dev-node
      </a>
      <span class="quiet">failed tests of {written}</span>
    </header>
    <main>
      <Switch>
        <Route path="/failure/:id/*?">{({ id, '*': part }) => <FailurePage id={id} part={part} />}</Route>
        <Route component={FailuresPage} />
      </Switch>
    </main>
  </Router>
)

const Broken = ({ reason }: { readonly reason: string }): VNode => {
  usePageTitle('Failures')
  return (
    <main>
      <p class="error" role="alert">
        {reason}
      </p>
    </main>
  )
}

async function start(page: HTMLElement): Promise<void> {
  const encoded = document.getElementById('report')?.textContent ?? ''
  const content = decodeReport(Buffer.from(encoded.trim(), 'base64'), 'this page', gunzipSync)
  const report = await openReport(content, [ethereumKind, network33.network])
  askBy((requests) =>
    Promise.all(
      requests.map(async ({ id, method, params }) => {
        try {
          return { id, result: structuredClone(await report.ask(method, params)) }
        } catch (error) {
          return {
            id,
            error: { code: -32000, message: error instanceof Error ? error.message : String(error) },
          }
        }
      }),
    ),
  )
  render(<Page written={new Date(content.at).toLocaleString()} />, page)
}

const page = document.getElementById('page')
if (page !== null)
  start(page).catch((error: unknown) => {
    const reason = error instanceof NodeError ? error.message : String(error)
    render(<Broken reason={reason} />, page)
  })
