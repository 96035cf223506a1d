/** Amounts, texts and keys for the tests of all clients. */

const unit = 10n ** 18n

/** The amounts and texts of the story, the same in every client. */
export const story = {
  /** Minted by the owner of the token to Alice. */
  minted: 1000n * unit,
  /** Sent by Alice to Bob. */
  transferred: 30n * unit,
  /** Paid in the native currency. */
  paid: 2n * unit,
  /** The text of a revert. */
  reason: 'out of order',
  /** The arguments of the custom error `Refused(address caller, uint256 code, string text)`. */
  refusal: { code: 42n, text: 'not today' },
  /** `Panic(uint256)` of a division by zero. */
  divisionByZero: 0x12n,
  /** Gas given by hand, so that nothing is estimated and the transaction itself fails. */
  plentyOfGas: 300_000n,
  /** How far the clock is moved. */
  secondsPerDay: 86_400,
} as const

/** A key the node does not hold: keccak256('a traveller with a wallet of its own'). */
export const travellerKey = '0x67c26ccfb0f6bce39235e7a85281e7fb1ba7ea409fd2d103b8edb115df224de9'

/**
 * Starts a watcher, repeats an action until it reports, stops it whatever happens, and returns the report.
 * Watchers install their filters in their own time, so a single transaction could come too early.
 */
export async function firstReport<Report>(
  watch: (report: (value: Report) => void, fail: (reason: Error) => void) => () => unknown,
  action: () => Promise<unknown>,
): Promise<Report> {
  let stop: () => unknown = () => undefined
  const report = new Promise<Report>((resolve, reject) => {
    stop = watch(resolve, reject)
  })
  const reported = report.then(() => true)
  try {
    do await action()
    while (!(await Promise.race([reported, Promise.resolve(false)])))
    return await report
  } finally {
    await stop()
  }
}
