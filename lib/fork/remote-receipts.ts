/** The receipts of blocks of the remote chain, loaded for a whole block at once. */

import { toQuantity } from '../base/hex.ts'
import type { Hash } from '../base/hex.ts'
import { NotLoadedError } from '../base/not-loaded.ts'
import type { Receipt } from '../chain/block.ts'
import type { RemoteBlock } from './parse/block.ts'
import { parseReceipts } from './parse/receipts.ts'
import type { Question, Remote } from './remote.ts'
import { RemoteError } from './remote-error.ts'

/** The receipts of the remote. */
export class RemoteReceipts {
  readonly #remote: Remote
  readonly #byBlock = new Map<Hash, readonly Receipt[]>()

  constructor(remote: Remote) {
    this.#remote = remote
  }

  /** The receipts of a block. @throws NotLoadedError */
  of(block: RemoteBlock): readonly Receipt[] {
    const known = this.#byBlock.get(block.hash)
    if (known !== undefined) return known
    throw new NotLoadedError(`receipts of block ${block.hash}`, async () => {
      const answers = await this.#ask(block)
      this.#byBlock.set(block.hash, parseReceipts(answers, block.transactions))
    })
  }

  /** All receipts by one request, or one by one if the remote has no method for that, or if all of them are stored. */
  async #ask({ header, transactions }: RemoteBlock): Promise<unknown> {
    if (transactions.length === 0) return []
    const questions = transactions.map(({ transaction }): Question => {
      return { method: 'eth_getTransactionReceipt', params: [transaction.hash] }
    })
    const areStored = questions.every((question) => this.#remote.recall(question) !== undefined)
    if (this.#remote.hasBlockReceipts && !areStored) {
      try {
        const params = [toQuantity(header.number)]
        return await this.#remote.ask({ method: 'eth_getBlockReceipts', params })
      } catch (error) {
        if (!(error instanceof RemoteError) || error.reason !== 'methodNotFound') throw error
        this.#remote.hasBlockReceipts = false
      }
    }
    return Promise.all(questions.map((question) => this.#remote.ask(question)))
  }
}
