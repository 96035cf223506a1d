/** A fixed amount of work, by whose time the guard knows how fast the machine is at the moment. */

import { createHash } from 'node:crypto'

/** Members of a receipt, as a node writes and reads them. */
const RECEIPT = {
  transactionHash: `0x${'12'.repeat(32)}`,
  from: `0x${'34'.repeat(20)}`,
  to: `0x${'56'.repeat(20)}`,
  logsBloom: `0x${'00'.repeat(256)}`,
  logs: Array.from({ length: 3 }, (_, index) => ({
    topics: [`0x${'78'.repeat(32)}`],
    logIndex: `0x${index}`,
  })),
}

/** Rounds of the work; some hundred milliseconds of processor time. */
const ROUNDS = 3000

/** Milliseconds of processor time of hashes, JSON, big integers and maps, after a first run that is not counted. */
export function calibrationMs(): number {
  work(ROUNDS / 4)
  const before = process.cpuUsage()
  work(ROUNDS)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

function work(rounds: number): string {
  const seen = new Map<string, bigint>()
  let hash = ''
  for (let round = 0; round < rounds; round++) {
    const text = JSON.stringify({ ...RECEIPT, blockNumber: round, hash })
    const { blockNumber } = JSON.parse(text) as { blockNumber: number }
    for (let index = 0; index < 8; index++)
      hash = createHash('sha3-256').update(text).update(hash).digest('hex')
    seen.set(hash.slice(0, 3), BigInt.asUintN(256, BigInt(`0x${hash}`) * BigInt(blockNumber + 1)))
  }
  return `${hash} ${seen.size}`
}
