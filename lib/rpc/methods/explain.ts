/** Methods that explain executions, step through their instructions, and show what is in a contract. */

import * as z from 'zod'
import { storedVariablesObject, explanationObject } from '../../schema/explanation-results.ts'
import { address, data, natural, optional, optionalWith } from '../../schema/wire.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { COW1, SENT, EXECUTION_ERRORS, execution, executionBlock, ofMined, stateBlock } from './params.ts'
import { stateOverrides, transactionHash } from './params.ts'
import { bytesToBigInt } from '../../base/hex.ts'
import { sourcesObject, tracedStepsObject } from '../../schema/report-results.ts'
import { list, text } from '../../schema/results.ts'

export const explainTransaction = readMethod({
  name: 'dev_explainTransaction',
  summary:
    'What a mined transaction did, with names from the artifacts: reason of a failure, Solidity stack, calls, events, changes; null if it is unknown.',
  params: [transactionHash],
  result: explanationObject.nullable(),
  example: { after: [SENT.step], params: [SENT.hash] },
  run: ofMined(async ({ entry, receipt }, { loadExplainer, loadAddressNames }) => {
    const explanation = await (await loadExplainer()).transaction(entry, receipt)
    return (await loadAddressNames()).named(explanation)
  }),
})

export const explainCall = readMethod({
  name: 'dev_explainCall',
  summary: 'What a call does, which is not sent: as dev_explainTransaction for a mined transaction.',
  params: [execution, executionBlock, stateOverrides],
  result: explanationObject,
  errors: EXECUTION_ERRORS,
  example: { params: [{ to: COW1, value: '0x1' }, 'latest'] },
  run: async ({ transaction, block, overrides }, node) => {
    const changes = { stateOverrides: overrides }
    const prepare = () => node.simulator.prepare(node.blockResolver.at(block), transaction, changes)
    const explanation = await (await node.loadExplainer()).call(prepare, node.startCallTimer())
    return (await node.loadAddressNames()).named(explanation)
  },
})

/** Maximum and default number of instructions in one answer. */
const MAX_STEPS = 1000
const DEFAULT_STEPS = 100

const stepCount = natural.max(MAX_STEPS, `expected at most ${MAX_STEPS} instructions`)

export const traceSteps = readMethod({
  name: 'dev_traceSteps',
  summary:
    'Some instructions of a mined transaction, each with gas, the upper 64 words of the stack, the first 4,096 bytes of memory if they changed, the slot that it reads or writes, the variables in it, also in transient storage, and its place in the sources; null if the transaction is unknown.',
  params: [
    transactionHash,
    param('from', optionalWith(natural, 0), 'Index of the first instruction; 0 if left out.'),
    param('count', optionalWith(stepCount, DEFAULT_STEPS), 'Instructions: 100 if left out, at most 1000.'),
  ],
  result: tracedStepsObject.nullable(),
  example: {
    after: [SENT.step],
    params: [SENT.hash, 0, 10],
    result: { total: 0, from: 0, touched: [], steps: [] },
  },
  run: ofMined(async ({ entry, receipt }, { loadStepReader }, { from, count }) =>
    (await loadStepReader()).steps(entry, receipt, { from, count }),
  ),
})

export const transactionSources = readMethod({
  name: 'dev_transactionSources',
  summary:
    'Sources of the contracts that a mined transaction ran, with the ids that its instructions name; null if it is unknown. Texts beyond 8,000,000 characters are left out.',
  params: [transactionHash],
  result: sourcesObject.nullable(),
  example: { after: [SENT.step], params: [SENT.hash], result: [] },
  run: ofMined(async ({ entry, receipt }, { loadStepReader }) =>
    (await loadStepReader()).sources(entry, receipt),
  ),
})

const contract = param('address', address, 'Address of the contract.')

export const contractSources = readMethod({
  name: 'dev_contractSources',
  summary:
    'Sources of the contract at an address, from the artifacts, its own file first; of a proxy or a clone also those of the contract that it runs. Null if none is known. Texts beyond 8,000,000 characters are left out.',
  params: [contract, stateBlock],
  result: sourcesObject.nullable(),
  example: { params: [COW1, 'latest'], result: null },
  run: async ({ address: at, block }, { blockResolver, loadExplainer, withSources }) => {
    const { state } = blockResolver.at(block)
    const contracts = await (await loadExplainer()).accountContracts()
    return (await withSources(() => contracts.sources(at, state))) ?? null
  },
})

/** Maximum number of keys in one request. */
const MAX_KEYS = 100

const key = data.refine(({ length }) => length <= 32, 'expected at most 32 bytes').transform(bytesToBigInt)

const keyList = z.array(key, 'expected a list of words').max(MAX_KEYS, `expected at most ${MAX_KEYS} keys`)

export const storageVariables = readMethod({
  name: 'dev_storageVariables',
  summary:
    'State variables of the contract at an address with their values, by the layout of its storage, which the AST in the artifacts gives; those of a proxy or a clone by the layout of the contract that it runs. Null if the layout is not known. Mappings do not store their keys: their values are read at given ones. `isWhole` is false if something is left out: there are at most 2,000 values, 100 items of a list and 4,096 bytes of a text, and 1,024 values of mappings are tried.',
  params: [
    contract,
    stateBlock,
    param('keys', optional(keyList), 'At most 100 words to try as keys of mappings. Zeros are left out.'),
  ],
  result: storedVariablesObject.nullable(),
  example: { params: [COW1, 'latest', []], result: null },
  run: async ({ address: at, block, keys = [] }, { blockResolver, loadExplainer, withSources }) => {
    const { state } = blockResolver.at(block)
    const contracts = await (await loadExplainer()).accountContracts()
    const found = await withSources(() => contracts.variables(at, state, keys))
    return found === undefined ? null : { variables: found.variables, isWhole: found.isWhole }
  },
})

export const instructions = readMethod({
  name: 'dev_instructions',
  summary:
    'Names of the 256 instructions by opcode under the rules of the chain, null for an undefined one. The data that an instruction pushes follows it in the code.',
  result: list(text.nullable()),
  run: (_, { instructionNames }) => instructionNames().map((name) => name ?? null),
})
