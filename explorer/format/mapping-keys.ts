/** Keys of mappings as people type them. */

/** Words of a text: numbers and hex, separated by commas or spaces. @throws Error that names a wrong one */
export function keysIn(text: string): readonly string[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => {
      if (/^0x([0-9a-f]{2}){1,32}$/i.test(part)) return part
      if (/^-?\d+$/.test(part)) return `0x${BigInt.asUintN(256, BigInt(part)).toString(16).padStart(64, '0')}`
      throw new Error(`${part}: expected an address, a number or bytes as hex`)
    })
}
