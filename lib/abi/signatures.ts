/** Reads signatures of functions, events and errors as people write them. */

import * as AbiItem from 'ox/AbiItem'
import { readAbi, type AbiFragment } from './fragments.ts'

/** A list of signatures may have the selector before each signature. */
const SELECTOR_BEFORE = /^0x[0-9a-f]+[\s:,]+/i

const KIND = /^(function|event|error)\s/

/**
 * The items that a signature names, as in Solidity (`error Broke(uint256 missing)`) or in short (`transfer(address,uint256)`), which is a
 * function or an error; empty if the text is no signature.
 */
export function readSignature(text: string): readonly AbiFragment[] {
  const signature = text.replace(SELECTOR_BEFORE, '').replace(/;$/, '').trim()
  const written = KIND.test(signature) ? [signature] : [`function ${signature}`, `error ${signature}`]
  try {
    return readAbi(written.map((signature) => AbiItem.from(signature, { prepare: false })))
  } catch {
    // The error of the parser says no more than that the text is no signature.
    return []
  }
}
