/** Sends mixed transactions: transfers, token transfers, calls that log, and deployments. */

import { drawsFrom } from '../../test/support/random-draws.ts'

/** Sends a request to a node. */
export type Ask = (method: string, ...params: readonly unknown[]) => Promise<any>

/** Creation code of a token (ERC-20) and of a contract that logs `data[0..32]` under its caller. */
export interface LoadContracts {
  readonly token: string
  /** Code that is deployed again and again. */
  readonly logger: string
}

/** Number of accounts that are paid again and again. */
const RECEIVERS = 500

/** Selector of `transfer(address,uint256)`. */
const TRANSFER = '0xa9059cbb'

const word = (value: string): string => value.padStart(64, '0')
const receiver = (number: number): string => (0x1000 + number).toString(16).padStart(40, '0')

/** A stream of mixed transactions, the same for the same seed. */
export class MixedLoad {
  readonly #ask: Ask
  readonly #draw = drawsFrom(7)
  readonly #from: string
  readonly #token: string
  readonly #contracts: LoadContracts
  #logger: string

  private constructor(ask: Ask, contracts: LoadContracts, from: string, token: string, logger: string) {
    this.#ask = ask
    this.#contracts = contracts
    this.#from = from
    this.#token = token
    this.#logger = logger
  }

  /** Deploys the contracts. */
  static async start(ask: Ask, contracts: LoadContracts): Promise<MixedLoad> {
    const [from] = await ask('eth_accounts')
    const [token, logger] = [
      await deploy(ask, from, contracts.token),
      await deploy(ask, from, contracts.logger),
    ]
    return new MixedLoad(ask, contracts, from, token, logger)
  }

  /** Sends a transaction, which is mined at once. */
  async send(): Promise<void> {
    const kind = this.#draw(100)
    if (kind < 5)
      await this.#transfer(
        Array.from({ length: 5 }, () => word(this.#draw(2 ** 31).toString(16)).slice(-8)).join(''),
      )
    else if (kind < 45) await this.#transfer(receiver(this.#draw(RECEIVERS)))
    else if (kind < 80)
      await this.#call(this.#token, `${TRANSFER}${word(receiver(this.#draw(RECEIVERS)))}${word('1')}`)
    else if (kind < 96) await this.#call(this.#logger, `0x${word(this.#draw(1000).toString(16))}`)
    else this.#logger = await deploy(this.#ask, this.#from, this.#contracts.logger)
  }

  async #transfer(to: string): Promise<void> {
    await this.#ask('eth_sendTransaction', { from: this.#from, to: `0x${to}`, value: '0x1', gas: '0x10000' })
  }

  async #call(to: string, data: string): Promise<void> {
    await this.#ask('eth_sendTransaction', { from: this.#from, to, data, gas: '0x20000' })
  }
}

async function deploy(ask: Ask, from: string, data: string): Promise<string> {
  const hash = await ask('eth_sendTransaction', { from, data, gas: '0x4c4b40' })
  return (await ask('eth_getTransactionReceipt', hash)).contractAddress
}

/** Code of a thousand bytes that logs its data under its caller: CALLDATACOPY, LOG1, STOP, and zeros. */
const LOGGER_CODE = '36600060003733366000a100'.padEnd(2000, '0')

/** Creation code of the logger. */
export const LOGGER = `0x6103e880600c6000396000f3${LOGGER_CODE}`
