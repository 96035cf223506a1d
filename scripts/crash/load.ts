/** Clients that write to a node until it ends: transactions, saves of the state file, accounts. */

import { request } from '../../test/support/packed-command.ts'
import { headOf } from './ledger.ts'
import type { Ledger } from './ledger.ts'

export const TRANSFER = {
  from: '0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826',
  to: '0x7986b3df570230288501eea3d890bd66948c9b79',
  value: '0x1',
  gas: '0x5208',
}

/** Errors that a full or read-only disk causes, as the caller reads them. */
const DISK_FAULT = /cannot write the (state file|keystore file) .*: (ENOSPC|EROFS)/

/** The load of one run of a node. */
export class Load {
  readonly #url: string
  readonly #ledger: Ledger
  /** Answers that say what is wrong with the disk. */
  readonly diskFaults: string[] = []
  /** Answers that should not have been given. */
  readonly surprises: string[] = []
  saves = 0
  #isEnding = false

  constructor(url: string, ledger: Ledger) {
    this.#url = url
    this.#ledger = ledger
  }

  /** Ends when the node has ended. */
  async run(): Promise<void> {
    await Promise.all([
      this.#repeat(() => this.#transfer()),
      this.#repeat(() => this.#transfer()),
      this.#repeat(() => this.#save()),
      this.#repeat(() => this.#makeAccount()),
    ])
  }

  /** The node is about to be killed. */
  end(): void {
    this.#isEnding = true
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        await work()
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        if (DISK_FAULT.test(message)) this.diskFaults.push(message)
        else if (this.#isEnding) return
        // `fetch failed` is a connection that the end of the node cut.
        else if (!message.includes('fetch failed')) this.surprises.push(message)
        if (message.includes('fetch failed')) return
      }
    }
  }

  async #transfer(): Promise<void> {
    await request(this.#url, 'eth_sendTransaction', [TRANSFER])
    this.#ledger.noteBlock(await headOf(this.#url))
  }

  async #save(): Promise<void> {
    this.#ledger.noteSave(await request(this.#url, 'dev_saveState'))
    this.saves++
  }

  async #makeAccount(): Promise<void> {
    this.#ledger.noteAccount(await request(this.#url, 'personal_newAccount', ['passphrase']))
  }
}
