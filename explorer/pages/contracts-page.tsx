/** The contracts of the chain: names, what they hold, and what was sent to them. */

import type { VNode } from 'preact'
import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { calmVersion } from '../client/calm-version.ts'
import { coverage } from '../client/coverage.ts'
import type { Summary } from '../client/coverage.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { nameOf } from '../client/names.ts'
import { usePageTitle } from '../client/page-title.ts'
import { AddressLink, AddressName, BlockLink, TransactionLink } from '../parts/hex.tsx'
import { ChainText } from '../parts/chain-text.tsx'
import { LongTable } from '../parts/long-table.tsx'
import { Amount, Count, Section, Showing } from '../parts/page-parts.tsx'
import '../parts/contracts.css'

type Listed = RpcMethods['dev_contracts']['result']['contracts'][number]

export function ContractsPage(): VNode {
  usePageTitle('Contracts')
  const found = useLoaded(
    () => Promise.all([ask('dev_contracts'), coverage()]),
    ['contracts', calmVersion.value],
  )
  return (
    <>
      <h1>Contracts</h1>
      <Showing of={found}>
        {([{ contracts, total }, files]) => {
          if (total === 0) return <p class="quiet">The chain has no contracts yet.</p>
          const given = contracts.filter(isGiven)
          const own = contracts.filter((contract) => !isGiven(contract))
          return (
            <>
              {areUnknown(contracts) && (
                <p class="quiet">
                  The node knows the source of none of them: start it with <code>--artifacts</code> and the
                  folder that the compiler writes.
                </p>
              )}
              <Section
                title={
                  total > contracts.length ? `The newest ${own.length} of yours` : `Yours (${own.length})`
                }
              >
                {own.length === 0 ? (
                  <p class="quiet">Nothing has been deployed yet.</p>
                ) : (
                  <ContractTable contracts={own} files={files} />
                )}
              </Section>
              {given.length > 0 && (
                <details>
                  <summary>Contracts that the chain began with ({given.length})</summary>
                  <Section title="System contracts and predeployed contracts">
                    <ContractTable contracts={given} files={files} />
                  </Section>
                </details>
              )}
            </>
          )
        }}
      </Showing>
    </>
  )
}

/** Whether the chain began with the contract: one of the network, or one that its genesis has. */
const isGiven = ({ blockNumber, transactionHash }: Listed): boolean =>
  transactionHash === null && Number(blockNumber ?? NaN) === 0

/** Whether contracts were created, and the node knows none of them. */
function areUnknown(contracts: readonly Listed[]): boolean {
  const created = contracts.filter(({ transactionHash }) => transactionHash !== null)
  return (
    created.length > 0 &&
    contracts.every(({ name, implementation }) => (name ?? implementation) === undefined)
  )
}

interface TableProps {
  readonly contracts: readonly Listed[]
  /** Coverage by file; undefined while it is off. */
  readonly files: Summary | undefined
}

const ContractTable = ({ contracts, files }: TableProps): VNode => (
  <LongTable
    class="contracts"
    items={contracts}
    label="Contracts"
    head={
      <>
        <th>Contract</th>
        <th class="number">Balance</th>
        <th class="number">Transactions</th>
        <th class="number wide-only">Gas</th>
        {files !== undefined && <th class="number wide-only">Lines covered</th>}
        <th class="wide-only">Created in block</th>
      </>
    }
  >
    {(contract) => (
      <>
        <td>
          <ContractCell contract={contract} />
        </td>
        <td class="number">
          <Amount wei={contract.balance} />
        </td>
        <td class="number">
          <Count of={contract.transactions} />
          {contract.failed > 0 && <div class="failure">{contract.failed} failed</div>}
        </td>
        <td class="number wide-only">
          <Count of={contract.gasUsed} />
        </td>
        {files !== undefined && (
          <td class="number wide-only">
            <Covered file={contract.file} files={files} />
          </td>
        )}
        <td class="wide-only">
          <Creation contract={contract} />
        </td>
      </>
    )}
  </LongTable>
)

/** Name, symbol or digits; the contract that a proxy runs; the source. */
function ContractCell({
  contract: { address, name, file, implementation },
}: {
  readonly contract: Listed
}): VNode {
  const shown = nameOf(address)
  return (
    <>
      <AddressLink value={address} />
      {name !== undefined && shown !== name && (
        <>
          {' '}
          <ChainText text={name} />
        </>
      )}
      {implementation !== undefined && (
        <div>
          <span class="quiet">runs</span> <AddressName value={implementation} />
        </div>
      )}
      {file !== undefined && (
        <div class="quiet file">
          <ChainText text={file} />
        </div>
      )}
    </>
  )
}

function Covered({
  file,
  files,
}: {
  readonly file: string | undefined
  readonly files: Summary
}): VNode | null {
  const lines = files.find(({ path }) => path === file)?.lines
  return lines === undefined || lines.total === 0 ? null : (
    <span title={`${lines.covered} of ${lines.total} lines of the source`}>
      {Math.floor((100 * lines.covered) / lines.total)} %
    </span>
  )
}

const Creation = ({ contract: { blockNumber, transactionHash } }: { readonly contract: Listed }): VNode => (
  <>
    {blockNumber === null ? (
      <span class="quiet">before the states that are kept</span>
    ) : (
      <BlockLink number={Number(blockNumber)} />
    )}
    {transactionHash !== null && (
      <div>
        <TransactionLink value={transactionHash} />
      </div>
    )}
  </>
)
