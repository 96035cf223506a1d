/** Instructions by their byte in the code, as far as the recorder and the views of a recording tell them apart. */

export const KECCAK256 = 0x20
export const CALLDATACOPY = 0x37
export const CODECOPY = 0x39
export const EXTCODECOPY = 0x3c
export const RETURNDATACOPY = 0x3e
export const MSTORE = 0x52
export const MSTORE8 = 0x53
export const SSTORE = 0x55
export const TSTORE = 0x5d
export const MCOPY = 0x5e
export const DUP1 = 0x80
export const SWAP1 = 0x90
export const CALL = 0xf1
export const CALLCODE = 0xf2
export const DELEGATECALL = 0xf4
export const STATICCALL = 0xfa
