/** Splits code into instructions. */

/** An instruction of a code. */
export interface Instruction {
  /** Position in bytes. */
  readonly pc: number
  readonly name: string
  /** Data that it pushes. */
  readonly data: string | undefined
}

/** The instructions of a code, and the length of the compiler's metadata after them. */
export interface Disassembly {
  readonly instructions: readonly Instruction[]
  readonly metadataBytes: number
}

/** The instructions, by the names of the node. */
export function disassembled(code: string, names: readonly (string | null)[]): Disassembly {
  const digits = code.slice(2)
  const metadataBytes = metadataLength(digits)
  const end = digits.length - 2 * metadataBytes
  const instructions: Instruction[] = []
  for (let at = 0; at < end;) {
    const opcode = Number.parseInt(digits.slice(at, at + 2), 16)
    const name = names[opcode] ?? `undefined 0x${digits.slice(at, at + 2)}`
    const pushed = 2 * Number(/^PUSH(\d+)$/.exec(name)?.[1] ?? 0)
    const data = pushed === 0 ? undefined : `0x${digits.slice(at + 2, at + 2 + pushed)}`
    instructions.push({ pc: at / 2, name, data })
    at += 2 + pushed
  }
  return { instructions, metadataBytes }
}

/** Length of the metadata at the end, with the two bytes of the length; a map in CBOR (Solidity documentation, "Contract Metadata"). */
function metadataLength(digits: string): number {
  const length = 2 + Number.parseInt(digits.slice(-4), 16)
  const first = digits.slice(-2 * length).slice(0, 2)
  return 2 * length < digits.length && /^a[1-9]$/.test(first) ? length : 0
}
