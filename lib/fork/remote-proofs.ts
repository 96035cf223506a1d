/** Proofs of accounts of the remote (EIP-1186), made by the remote itself. */

import { asAddress, asHash } from '../base/hex.ts'
import type { Address, Hash } from '../base/hex.ts'
import { DATA, HASH, QUANTITY, RemoteObject } from '../base/remote-object.ts'
import { NodeError } from '../base/errors.ts'
import type { AccountProof } from '../state/account-proof.ts'
import { FactTable } from './facts.ts'
import type { BlockId } from './canonical-check.ts'
import type { Remote } from './remote.ts'

/** The proofs for the state of one block. */
export class RemoteProofs {
  /** By address and slots, separated by spaces. */
  readonly #proofs: FactTable<string, AccountProof>

  constructor(remote: Remote, block: BlockId) {
    this.#proofs = new FactTable(remote, {
      name: 'proof',
      questions: (key) => [{ method: 'eth_getProof', params: paramsOf(key), block }],
      read: ([json], key) => {
        const [address, slots] = paramsOf(key)
        return parseProof(json, `proof of ${address}`, slots)
      },
    })
  }

  /** The proof of an account and of slots. @throws NotLoadedError */
  of(address: Address, slots: readonly Hash[]): AccountProof {
    return this.#proofs.get([address, ...slots].join(' '))
  }
}

/** Address and slots of a key. */
function paramsOf(key: string): readonly [Address, readonly Hash[]] {
  const [address = '', ...slots] = key.split(' ')
  return [asAddress(address), slots.map(asHash)]
}

function parseProof(json: unknown, subject: string, slots: readonly Hash[]): AccountProof {
  const object = RemoteObject.of(json, subject)
  const proofs = object.objects('storageProof')
  if (proofs.length !== slots.length)
    throw new NodeError(
      'remoteFailed',
      `the remote's ${subject} has ${proofs.length} storage proofs, ${slots.length} were asked for`,
    )
  return {
    accountProof: object.list('accountProof', DATA),
    account: {
      nonce: object.get('nonce', QUANTITY),
      balance: object.get('balance', QUANTITY),
      codeHash: object.get('codeHash', HASH),
    },
    storageHash: object.get('storageHash', HASH),
    storageProof: proofs.flatMap((item, index) => {
      const slot = slots[index]
      if (slot === undefined) return []
      return [{ slot, value: item.get('value', QUANTITY), proof: item.list('proof', DATA) }]
    }),
  }
}
