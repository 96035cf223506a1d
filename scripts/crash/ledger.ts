/** What the nodes of a crash test said to be written, and whether the next node has it. */

import { deepStrictEqual, ok } from 'node:assert'
import { request } from '../../test/support/packed-command.ts'

export interface Head {
  readonly number: number
  readonly hash: string
}

const quantity = (value: number): string => `0x${value.toString(16)}`

/** The head of a chain. */
export async function headOf(url: string): Promise<Head> {
  const head = await request<{ number: string; hash: string }>(url, 'eth_getBlockByNumber', ['latest', false])
  return { number: Number(head.number), hash: head.hash }
}

/** Blocks, saves and accounts as clients got them. */
export class Ledger {
  readonly #seen = new Map<number, string>()
  readonly #accounts = new Set<string>()
  #saved = 0
  saves = 0

  get accounts(): number {
    return this.#accounts.size
  }

  noteBlock({ number, hash }: Head): void {
    this.#seen.set(number, hash)
  }

  /** The node answered that the file has this block. */
  noteSave({ blockNumber, blockHash }: { readonly blockNumber: string; readonly blockHash: string }): void {
    this.saves++
    this.#saved = Math.max(this.#saved, Number(blockNumber))
    this.noteBlock({ number: Number(blockNumber), hash: blockHash })
  }

  noteAccount(address: string): void {
    this.#accounts.add(address)
  }

  /**
   * Checks that a started node has the last answered save or more, whole: every block that a client saw up to the head, the nonce
   * that follows from them, and every account. Forgets the blocks after the head.
   */
  async check(url: string, sender: string): Promise<void> {
    const head = await headOf(url)
    ok(head.number >= this.#saved, `block ${this.#saved} was said to be written, the head is ${head.number}`)
    for (const [number] of [...this.#seen]) if (number > head.number) this.#seen.delete(number)
    for (const [number, hash] of [...this.#seen].slice(-40)) {
      const block = await request<Head | null>(url, 'eth_getBlockByNumber', [quantity(number), false])
      deepStrictEqual(block?.hash, hash, `block ${number} is another one`)
    }
    const nonce = await request<string>(url, 'eth_getTransactionCount', [sender, 'latest'])
    deepStrictEqual(Number(nonce), head.number, 'a block of a transfer each, so the nonce is the height')
    const present = new Set(await request<string[]>(url, 'personal_listAccounts'))
    for (const address of this.#accounts) ok(present.has(address), `the account ${address} is lost`)
    this.#saved = head.number
  }
}
