/** The pages other than the first, in a script of their own. */

import type { VNode } from 'preact'
import { Redirect, Route, Switch } from 'wouter-preact'
import { isReadOnly } from '../client/mode.ts'
import { AccountsPage } from './accounts-page.tsx'
import { AddressPage } from './address-page.tsx'
import { BlockPage } from './block-page.tsx'
import { BridgePage } from './bridge-page.tsx'
import { ContractsPage } from './contracts-page.tsx'
import { ControlsPage } from './controls-page.tsx'
import { FailurePage, FailuresPage } from './failures-page.tsx'
import { RequestsPage } from './requests-page.tsx'
import { SearchPage } from './search-page.tsx'
import { TransactionPage } from './transaction-page.tsx'

/** The page that the URL names. */
export const Pages = (): VNode => (
  <Switch>
    <Route path="/accounts/:address?">{({ address }) => <AccountsPage chosen={address} />}</Route>
    <Route path="/bridge" component={BridgePage} />
    <Route path="/contracts" component={ContractsPage} />
    {!isReadOnly && <Route path="/controls" component={ControlsPage} />}
    <Route path="/requests/:method?">{({ method }) => <RequestsPage method={method} />}</Route>
    <Route path="/failures" component={FailuresPage} />
    <Route path="/failure/:id/*?">{({ id, '*': part }) => <FailurePage id={id} part={part} />}</Route>
    <Route path="/block/:id">{({ id }) => <BlockPage id={id} />}</Route>
    {/* Links of earlier versions. */}
    <Route path="/tx/:hash/step/:step?">
      {({ hash, step = '' }) => <Redirect to={`/tx/${hash}/debug/${step}`} replace />}
    </Route>
    <Route path="/tx/:hash/*?">{({ hash, '*': part }) => <TransactionPage hash={hash} part={part} />}</Route>
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
)

/** A part of a URL as text; one that is not encoded rightly is taken as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
