/** Tracers in JavaScript that read accounts which the execution did not: a fork loads them, and answers as the remote itself. */

import { expect, test } from '@jest/globals'
import { respond, withFork, withRemoteChain } from '../support/forked-node.ts'
import type { RemoteChain } from '../support/forked-node.ts'

/** Reads the contract and two accounts in each function. */
const script = ({ tracer, accounts }: RemoteChain): string => `{
  seen: [],
  read: function (db, account) { this.seen.push([db.getBalance(account), db.getNonce(account), db.exists(account), toHex(db.getCode(account)).length]) },
  fault: function () {},
  step: function (log, db) { if (log.getPC() < 3) this.read(db, toAddress('${accounts[5]}')) },
  result: function (ctx, db) {
    this.read(db, toAddress('0x${'ab'.repeat(20)}'))
    this.read(db, toAddress('${tracer}'))
    return [this.seen, toHex(db.getState(toAddress('${tracer}'), toWord('0x1')))]
  },
}`

test('a script reads what is not loaded yet', () =>
  withRemoteChain({ network: 'ethereum' }, async (remote) => {
    const options = { tracer: script(remote) }
    const transactions = await Promise.all(
      [1, 15].map(async (number) => {
        const { result } = await remote.ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
        return result.transactions[0]
      }),
    )
    const questions: readonly (readonly [string, readonly unknown[]])[] = [
      ...transactions.map((hash) => ['debug_traceTransaction', [hash, options]] as const),
      ['debug_traceBlockByNumber', ['0xf', options]],
      ['debug_traceCall', [{ from: remote.accounts[1], to: remote.tracer, data: '0x' }, '0xf', options]],
    ]
    for (const [method, params] of questions) {
      // Nothing is loaded in a new fork.
      await withFork(remote, { network: 'ethereum' }, async ({ node }) => {
        const { result } = await remote.ask(method, params)
        expect(result).toBeDefined()
        expect(await respond(node, method, params)).toMatchObject({ result })
      })
    }
  }))
