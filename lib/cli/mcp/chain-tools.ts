/** Tools that read and change the chain of a running node. */

import * as z from 'zod'
import { refuseRequest } from '../../base/errors.ts'
import { etherText } from '../../base/decimal-text.ts'
import { toQuantity } from '../../base/hex.ts'
import { timeText } from '../../base/host.ts'
import { contractList, explanationObject, storedVariablesObject } from '../../schema/explanation-results.ts'
import { tracedStepsObject } from '../../schema/report-results.ts'
import { addressText, hashText, list, quantityText, text } from '../../schema/results.ts'
import { ofHash } from '../explain-command.ts'
import { addressOf, callInput, contract, transactionOf } from './call-data.ts'
import { full, shortened } from './failure-tools.ts'
import { firstLines, tool } from './tool.ts'

const MAX_ROWS = 50

const accounts = tool('accounts', {
  description:
    'The accounts of the node, which sign by themselves, with their balances, and the deployed contracts with their names.',
  input: z.strictObject({}),
  run: async (_, agent) => {
    const node = await agent.chain()
    const addresses = await node.ask(['eth_accounts'], list(addressText))
    const shown = addresses.slice(0, MAX_ROWS)
    const balances = shown.map((address) => node.ask(['eth_getBalance', address, 'latest'], quantityText))
    const { contracts } = await node.ask(['dev_contracts'], contractList)
    return [
      `${addresses.length} accounts`,
      ...(await Promise.all(balances)).map(
        (balance, index) => `  account ${index} ${addresses[index]} ${etherText(BigInt(balance))}`,
      ),
      'contracts, newest first',
      ...contracts
        .filter(({ name, transactionHash }) => name !== undefined || transactionHash !== null)
        .slice(0, MAX_ROWS)
        .map(({ address, name = 'unknown', file = '' }) => `  ${name} ${address} ${file}`.trimEnd()),
    ]
  },
})

const storage = tool('storage', {
  description:
    'State variables of a contract with their values; those of mappings at the addresses of accounts and contracts and at given keys.',
  input: z.strictObject({
    contract,
    variable: z.string().default('').describe('The beginning of names, such as `balances`; all if left out.'),
    keys: z
      .array(z.string())
      .max(50)
      .default([])
      .describe('Keys of mappings: numbers, addresses or words in hex.'),
  }),
  run: async ({ contract: wanted, variable: prefix, keys }, agent) => {
    const node = await agent.chain()
    const address = await addressOf(wanted, node)
    const known = [...(await node.ask(['eth_accounts'], list(addressText))).slice(0, 40), address]
    const words = [...keys.map((key) => (/^\d+$/.test(key) ? evenHex(BigInt(key)) : key)), ...known]
    const stored = storedVariablesObject.nullable()
    const found = await node.ask(['dev_storageVariables', address, 'latest', words], stored)
    if (found === null)
      refuseRequest(`the layout of ${wanted} is not known: the artifacts need its source and AST`)
    const rows = found.variables
      .filter(({ variable }) => variable.startsWith(prefix))
      .map(({ variable, type, value = '(a mapping: name keys)' }) => `${type} ${variable} = ${value}`)
    if (rows.length === 0) return [`no variable begins with ${prefix}`]
    return firstLines(rows, MAX_ROWS, 'name the variable')
  },
})

const evenHex = (value: bigint): string => {
  const digits = value.toString(16)
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

const call = tool('call', {
  description:
    'Calls a function and changes nothing: its results or the reason of its failure, and the calls inside.',
  input: callInput.extend({ full }),
  run: async ({ full: isFull, ...wanted }, agent) => {
    const node = await agent.chain()
    const request = await transactionOf(wanted, node)
    return shortened(await node.ask(['dev_explainCall', request, 'latest'], explanationObject), isFull)
  },
})

const send = tool('send', {
  description: 'Sends a transaction of an account of the node, and explains what it did.',
  input: callInput.extend({ full }),
  isChange: true,
  run: async ({ full: isFull, ...wanted }, agent) => {
    const node = await agent.chain()
    const hash = await node.ask(['eth_sendTransaction', await transactionOf(wanted, node)], hashText)
    const found = await ofHash(hash, node)
    return typeof found === 'string' ? [`${hash} waits for a block`] : [hash, ...shortened(found, isFull)]
  },
})

const trace = tool('trace', {
  description:
    'Instructions of a mined transaction, one a line, with gas, the slot or variable that each touches, and its line of Solidity.',
  input: z.strictObject({
    transaction: z.string().describe('Whole hash.'),
    from: z.int().nonnegative().default(0).describe('Index of the first instruction.'),
    count: z.int().min(1).max(500).default(MAX_ROWS),
  }),
  run: async ({ transaction, from, count }, agent) => {
    const node = await agent.chain()
    const steps = tracedStepsObject.nullable()
    const found = await node.ask(['dev_traceSteps', transaction, from, count], steps)
    if (found === null) refuseRequest(`${node.name} has no mined transaction ${transaction}`)
    const rows = found.steps.map(({ op, depth, gas, variable = '', source, error = '' }, index) => {
      const place = source?.line === undefined ? '' : `${source.path}:${source.line}`
      const facts = [variable, place, error].filter(Boolean).join(' ')
      return `${from + index}${'  '.repeat(depth)} ${op} gas ${gas} ${facts}`.trimEnd()
    })
    return [`${found.total} instructions`, ...rows]
  },
})

const snapshot = tool('snapshot', {
  description: 'Takes a snapshot of the chain, and returns its id.',
  input: z.strictObject({}),
  isChange: true,
  run: async (_, agent) => [await (await agent.chain()).ask(['evm_snapshot'], text)],
})

const revert = tool('revert', {
  description: 'Puts the chain back to a snapshot.',
  input: z.strictObject({ snapshot: z.string().describe('Id of a snapshot.') }),
  isChange: true,
  run: async ({ snapshot: id }, agent) => {
    const isDone = await (await agent.chain()).ask(['evm_revert', id], z.boolean())
    return isDone ? [`the chain is as it was at snapshot ${id}`] : refuseRequest(`there is no snapshot ${id}`)
  },
})

const block = z.object({ number: quantityText, timestamp: quantityText })

const time = tool('time', {
  description: 'Moves the time of the chain forward and mines blocks.',
  input: z.strictObject({
    seconds: z.int().nonnegative().default(0),
    blocks: z.int().min(1).max(100_000).default(1),
  }),
  isChange: true,
  run: async ({ seconds, blocks }, agent) => {
    const node = await agent.chain()
    if (seconds > 0) await node.ask(['evm_increaseTime', seconds], z.unknown())
    await node.ask(['hardhat_mine', toQuantity(BigInt(blocks))], z.unknown())
    const { number, timestamp } = await node.ask(['eth_getBlockByNumber', 'latest', false], block)
    return [`block ${Number(number)} at ${timeText(Number(timestamp) * 1000)}`]
  },
})

export const chainTools = [accounts, storage, call, send, trace, snapshot, revert, time]
