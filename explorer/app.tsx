/** The frame of all pages. The part of the URL after # names the page; the path names the chain. */

import type { VNode } from 'preact'
import { Route, Router, Switch } from 'wouter-preact'
import { useHashLocation } from 'wouter-preact/use-hash-location'
import { headNumber, isConnected, methodModules } from './client/live.ts'
import { isReadOnly } from './client/mode.ts'
import { worldHere } from './client/paths.ts'
import { ChainPage } from './pages/chain-page.tsx'
import { KeysHelp } from './parts/keys-help.tsx'
import { LaterPages } from './parts/later-pages.tsx'
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
        {/* A network with merged mining has a Bridge. */}
        {'mnr' in methodModules.value && <PageLink to="/bridge" label="Bridge" />}
      </nav>
      <World />
      <Head />
      <Search />
      <KeysHelp />
    </header>
    <main>
      <Notice />
      <Switch>
        <Route path="/" component={ChainPage} />
        <Route component={LaterPages} />
      </Switch>
    </main>
  </Router>
)

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
