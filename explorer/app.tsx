/** The frame of all pages. The part of the URL after # names the page; the path names the chain. */

import type { VNode } from 'preact'
import { Route, Router, Switch } from 'wouter-preact'
import { useHashLocation } from 'wouter-preact/use-hash-location'
import { headNumber, isConnected } from './client/live.ts'
import { isReadOnly } from './client/mode.ts'
import { worldHere } from './client/paths.ts'
import { BlockPage } from './pages/block-page.tsx'
import { AccountsPage } from './pages/accounts-page.tsx'
import { AddressPage } from './pages/address-page.tsx'
import { ChainPage } from './pages/chain-page.tsx'
import { ContractsPage } from './pages/contracts-page.tsx'
import { ControlsPage } from './pages/controls-page.tsx'
import { FailurePage, FailuresPage } from './pages/failures-page.tsx'
import { RequestsPage } from './pages/requests-page.tsx'
import { TransactionPage } from './pages/transaction-page.tsx'
import { SearchPage } from './pages/search-page.tsx'
import { Notice } from './parts/notice.tsx'
import { Search } from './parts/search.tsx'

export const App = (): VNode => (
  <Router hook={useHashLocation}>
    <header>
      <a class="brand" href="#/">
        dev-node
      </a>
      <nav aria-label="Pages">
        <PageLink to="/" label="Chain" />
        <PageLink to="/accounts" label="Accounts" />
        <PageLink to="/contracts" label="Contracts" />
        {!isReadOnly && <PageLink to="/controls" label="Controls" />}
        <PageLink to="/failures" label="Failures" />
        <PageLink to="/requests" label="Requests" />
      </nav>
      <World />
      <Head />
      <Search />
    </header>
    <main>
      <Notice />
      <Switch>
        <Route path="/" component={ChainPage} />
        <Route path="/accounts/:address?">{({ address }) => <AccountsPage chosen={address} />}</Route>
        <Route path="/contracts" component={ContractsPage} />
        {!isReadOnly && <Route path="/controls" component={ControlsPage} />}
        <Route path="/requests/:method?">{({ method }) => <RequestsPage method={method} />}</Route>
        <Route path="/failures" component={FailuresPage} />
        <Route path="/failure/:id">{({ id }) => <FailurePage id={id} />}</Route>
        <Route path="/block/:id">{({ id }) => <BlockPage id={id} />}</Route>
        <Route path="/tx/:hash/*?">
          {({ hash, '*': part }) => <TransactionPage hash={hash} part={part} />}
        </Route>
        <Route path="/search/:text">{({ text }) => <SearchPage text={decoded(text)} />}</Route>
        <Route path="/address/:address/*?">
          {({ address, '*': part }) => <AddressPage address={address} part={part} />}
        </Route>
        <Route>
          <p class="error" role="alert">
            There is no such page.
          </p>
        </Route>
      </Switch>
    </main>
  </Router>
)

/** A part of a URL as text; one that is not encoded rightly is taken as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A link of the navigation, which says whether its page is shown. */
function PageLink({ to, label }: { readonly to: string; readonly label: string }): VNode {
  const [path] = useHashLocation()
  const isHere = path === to || path.startsWith(`${to}/`)
  return (
    <a href={`#${to}`} aria-current={isHere ? 'page' : undefined}>
      {label}
    </a>
  )
}

/** Name of the world in the path. */
function World(): VNode | null {
  return worldHere === undefined ? null : <span class="badge">world {worldHere}</span>
}

const Head = (): VNode => (
  <span class="head" role="status">
    <span
      class={isConnected.value ? 'dot good' : 'dot bad'}
      title={isConnected.value ? 'live' : 'not connected'}
    />
    {headNumber.value === undefined ? 'no block yet' : `block ${headNumber.value}`}
  </span>
)
