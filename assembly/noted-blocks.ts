/** Notes the basic blocks that a frame enters, for observers of the path of an execution. */

import { IS_NOTED, MAX_NOTED_BLOCKS, NOTED_BLOCKS, NOTED_BLOCK_COUNT } from './layout'

/** Notes a block by the position of its first instruction. Returns false if there is no room. */
// @ts-ignore: decorator
@inline
export function note(position: u32): bool {
  if (load<bool>(IS_NOTED)) {
    store<bool>(IS_NOTED, false)
    return true
  }
  const count = load<u32>(NOTED_BLOCK_COUNT)
  if (count == MAX_NOTED_BLOCKS) return false
  store<u32>(NOTED_BLOCKS + (count << 2), position)
  store<u32>(NOTED_BLOCK_COUNT, count + 1)
  return true
}
