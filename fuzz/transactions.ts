/** Signs transactions of every type, and damages their bytes and their members. */

import { privateKeyToAccount } from 'viem/accounts'
import type { Hex, TransactionSerializable } from 'viem'
import { fromHex, toHex } from '../lib/base/hex.ts'
import { decodeRlp, encodeRlp } from '../lib/base/rlp.ts'
import type { RlpInput } from '../lib/base/rlp.ts'
import { networkForm } from '../lib/evm/sidecar.ts'
import { BLOB_HASH, sidecarOf } from '../test/support/blobs.ts'
import type { Choices } from './choices.ts'
import { damaged } from './programs.ts'

/** A funded account and the chain that its transactions are for. */
export interface Signer {
  readonly privateKey: Hex
  readonly chainId: number
}

const GWEI = 10n ** 9n

/** A signed transaction of the nonce, of any of the five types. */
export async function signedTransaction(signer: Signer, nonce: number, choices: Choices): Promise<Hex> {
  const account = privateKeyToAccount(signer.privateKey)
  const { chainId } = signer
  const isCreation = choices.once(4)
  const base = {
    chainId,
    nonce,
    gas: BigInt(choices.any([21_000, 100_000, 500_000, 3_000_000])),
    value: BigInt(choices.draw(3)),
    data: choices.any(choices.known.codes) as Hex,
    ...(isCreation ? {} : { to: choices.any(choices.known.addresses) as Hex }),
  }
  const fees = { maxFeePerGas: 4n * GWEI, maxPriorityFeePerGas: GWEI }
  const accessList = [{ address: choices.any(choices.known.addresses) as Hex, storageKeys: [] }]
  const to = choices.any(choices.known.addresses) as Hex
  const type = choices.draw(20)
  if (type === 0)
    return signedBlobs({ ...base, ...fees, to, maxFeePerBlobGas: 10n, chainId }, account, choices)
  if (type < 4) {
    const authorization = await account.signAuthorization({ contractAddress: to, chainId, nonce: nonce + 1 })
    return account.signTransaction({
      ...base,
      ...fees,
      to,
      type: 'eip7702',
      authorizationList: [authorization],
    })
  }
  const kinds: readonly TransactionSerializable[] = [
    { ...base, gasPrice: 2n * GWEI, type: 'legacy' },
    { ...base, gasPrice: 2n * GWEI, type: 'eip2930', accessList },
    { ...base, ...fees, type: 'eip1559', accessList },
  ]
  return account.signTransaction(choices.any(kinds))
}

async function signedBlobs(
  fields: object,
  account: ReturnType<typeof privateKeyToAccount>,
  choices: Choices,
): Promise<Hex> {
  const blobs = {
    ...fields,
    type: 'eip4844',
    blobVersionedHashes: [BLOB_HASH],
  } as unknown as TransactionSerializable
  const encoded = fromHex(await account.signTransaction(blobs))
  return toHex(networkForm({ encoded }, sidecarOf(choices.any([0, 1]))))
}

/** The bytes of a transaction with changes, in the text or in the members. */
export function damagedTransaction(bytes: string, choices: Choices): string {
  if (choices.once(2) || bytes.length > 100_000) return damaged(bytes, choices)
  const isTyped = bytes.length > 4 && Number.parseInt(bytes.slice(2, 4), 16) < 0x80
  try {
    const members = decodeRlp(fromHex(isTyped ? `0x${bytes.slice(4)}` : bytes))
    const type = choices.once(6) ? choices.draw(256).toString(16).padStart(2, '0') : bytes.slice(2, 4)
    const changed = toHex(encodeRlp(changedRlp(members, choices)))
    return isTyped ? `0x${type}${changed.slice(2)}` : changed
  } catch {
    return damaged(bytes, choices)
  }
}

function changedRlp(value: RlpInput, choices: Choices): RlpInput {
  if (value instanceof Uint8Array) {
    return choices.any<RlpInput>([
      choices.bytes(choices.draw(40)),
      new Uint8Array(choices.draw(3)),
      [value],
      [],
    ])
  }
  if (value.length === 0 || choices.once(8)) return [...value, choices.bytes(choices.draw(5))]
  if (choices.once(8)) return value.slice(1)
  const at = choices.draw(value.length)
  return value.with(at, changedRlp(value[at]!, choices))
}
