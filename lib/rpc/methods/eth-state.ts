/** Methods that return the state of accounts after a block. */

import * as z from 'zod'
import { toHex, toQuantity, type Address, type Hash } from '../../base/hex.ts'
import { EMPTY_ACCOUNT } from '../../state/account.ts'
import { hash, slot, strippable } from '../../schema/wire.ts'
import { storageSlots } from '../../schema/requests.ts'
import { addressText, dataText, hashText, proofObject, quantityText } from '../../schema/results.ts'
import { param, readMethod } from '../../kernel/method.ts'
import { COW1, account, stateBlock } from './params.ts'
import type { Node } from '../../node/node.ts'

type ReadChain = Pick<Node, 'blockResolver' | 'chain' | 'mempool'>

export const getBalance = readMethod({
  name: 'eth_getBalance',
  summary: 'Balance of an account, in wei.',
  params: [account, stateBlock],
  result: quantityText,
  example: { params: [COW1, 'latest'], result: '0xc9f2c9cd04674edea40000000' },
  run: ({ address: owner, block: at }, { blockResolver }: ReadChain) =>
    toQuantity(blockResolver.at(at).state.balance(owner)),
})

export const getCode = readMethod({
  name: 'eth_getCode',
  summary: 'Code of an account; 0x if it has none.',
  params: [account, stateBlock],
  result: dataText,
  example: { params: [COW1, 'latest'], result: '0x' },
  run: ({ address: owner, block: at }, { blockResolver }: ReadChain) =>
    toHex(blockResolver.at(at).state.code(owner)),
})

export const getStorageAt = readMethod({
  name: 'eth_getStorageAt',
  summary: 'The value of a storage slot of a contract; zero if nothing was stored.',
  params: [account, param('position', strippable(slot), 'Slot to read.'), stateBlock],
  result: hashText,
  example: { params: [COW1, '0x0', 'latest'], result: `0x${'00'.repeat(32)}` },
  run: ({ address: owner, position, block: at }, { blockResolver }: ReadChain) =>
    blockResolver.at(at).state.storageAt(owner, position),
})

export const getStorageValues = readMethod({
  name: 'eth_getStorageValues',
  summary: 'Values of storage slots of several contracts: a list by address, in the order of the slots.',
  params: [param('slots', storageSlots, 'Lists of slots by address, together at most 1024.'), stateBlock],
  result: z.record(addressText, z.array(hashText).readonly()),
  example: { params: [{ [COW1]: ['0x0'] }, 'latest'], result: { [COW1]: [`0x${'00'.repeat(32)}`] } },
  run: ({ slots, block: at }, { blockResolver }: ReadChain) => {
    const { state } = blockResolver.at(at)
    const valuesOf = ([contract, positions]: readonly [Address, readonly Hash[]]) =>
      [contract, positions.map((position) => state.storageAt(contract, position))] as const
    return Object.fromEntries([...slots].map(valuesOf))
  },
})

export const getTransactionCount = readMethod({
  name: 'eth_getTransactionCount',
  summary: 'Nonce of the next transaction of an account. With `pending`, pooled transactions count.',
  params: [account, stateBlock],
  result: quantityText,
  example: { params: [COW1, 'latest'], result: '0x0' },
  run: ({ address: owner, block: at }, { blockResolver, chain, mempool }: ReadChain) => {
    if ('tag' in at && at.tag === 'pending') {
      return toQuantity(mempool.nextNonce(owner, chain.head.state.nonce(owner)))
    }
    return toQuantity(blockResolver.at(at).state.nonce(owner))
  },
})

export const getAccountInfo = readMethod({
  name: 'eth_getAccountInfo',
  summary: 'Balance, nonce and code of an account in one result.',
  params: [account, stateBlock],
  result: z.strictObject({ balance: quantityText, nonce: quantityText, code: dataText }),
  example: {
    params: [COW1, 'latest'],
    result: { balance: '0xc9f2c9cd04674edea40000000', nonce: '0x0', code: '0x' },
  },
  run: ({ address: owner, block: at }, { blockResolver }: ReadChain) => {
    const { state } = blockResolver.at(at)
    const { balance, nonce, code } = state.account(owner) ?? EMPTY_ACCOUNT
    return { balance: toQuantity(balance), nonce: toQuantity(nonce), code: toHex(code) }
  },
})

export const getAccount = readMethod({
  name: 'eth_getAccount',
  summary: 'An account as the state trie has it: nonce, balance, storage root and code hash.',
  params: [account, stateBlock],
  result: z.strictObject({
    nonce: quantityText,
    balance: quantityText,
    storageRoot: hashText,
    codeHash: hashText,
  }),
  example: { params: [COW1, 'latest'] },
  run: ({ address: owner, block: at }, { blockResolver }: ReadChain) => {
    const { state } = blockResolver.at(at)
    const { nonce, balance, codeHash } = state.account(owner) ?? EMPTY_ACCOUNT
    return {
      nonce: toQuantity(nonce),
      balance: toQuantity(balance),
      storageRoot: state.storageRoot(owner),
      codeHash,
    }
  },
})

const MAX_PROOFS = 1024

/** A position, and whether it was given as a word of 32 bytes. */
const provedSlot = z.union(
  [
    hash.transform((position) => ({ position, isWord: true })),
    slot.transform((position) => ({ position, isWord: false })),
  ],
  'expected a storage position of up to 32 bytes',
)

const provedSlots = z
  .array(provedSlot, 'expected an array of storage positions')
  .max(MAX_PROOFS, `expected at most ${MAX_PROOFS} storage positions`)

export const getProof = readMethod({
  name: 'eth_getProof',
  summary: 'An account and values of its storage slots with their Merkle proofs (EIP-1186).',
  params: [account, param('storageKeys', provedSlots, 'Slots to prove.'), stateBlock],
  result: proofObject,
  example: { params: [COW1, ['0x0'], 'latest'] },
  run: ({ address: owner, storageKeys, block: at }, { blockResolver }: ReadChain, { dialect }) => {
    const { state } = blockResolver.at(at)
    const proof = state.prove(
      owner,
      storageKeys.map(({ position }) => position),
    )
    const { balance, codeHash, nonce } = proof.account ?? EMPTY_ACCOUNT
    return {
      address: owner,
      accountProof: proof.accountProof.map(toHex),
      balance: toQuantity(balance),
      codeHash,
      nonce: toQuantity(nonce),
      storageHash: proof.storageHash,
      storageProof: proof.storageProof.map(({ slot: position, value, proof: nodes }, index) => ({
        // A quantity (service spec, "Proof object"). In other dialects a word if one was given (geth, internal/ethapi, GetProof).
        key:
          dialect !== 'node33' && storageKeys[index]?.isWord === true
            ? position
            : toQuantity(BigInt(position)),
        value: toQuantity(value),
        proof: nodes.map(toHex),
      })),
    }
  },
})
