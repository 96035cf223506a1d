/** Inputs that are slow for their gas price: valid points and signatures, and operands of all ones. */

import { generateKeyPairSync, sign } from 'node:crypto'
import { encodeAbi } from '../lib/abi/codec.ts'
import { bigIntToBytes32, fromHex, toAddress, toHash } from '../lib/base/hex.ts'
import { ancestorsFrom } from '../lib/chain/ancestors.ts'
import type { Block } from '../lib/chain/block.ts'
import { ChainEntry } from '../lib/chain/chain-entry.ts'
import { activeEips } from '../lib/config/active-eips.ts'
import type { Hardfork } from '../lib/config/eips.ts'
import { curve } from '../lib/crypto/secp256k1.ts'
import { sha256 } from '../lib/crypto/sha256.ts'
import type { BlockContext } from '../lib/evm/block-context.ts'
import { ethereumPrecompiles } from '../lib/networks/ethereum/precompiles/precompiles.ts'
import { blockHeaderMethods, environmentMethods } from '../lib/modules/network-33/precompiles/block-header.ts'
import { BRIDGE_METHODS, type BridgeMethod } from '../lib/modules/network-33/bridge/bridge.ts'
import { hdWalletUtilsMethods } from '../lib/modules/network-33/precompiles/hd-wallet-utils.ts'
import type { PrecompileCall } from '../lib/evm/precompile.ts'
import { StateRoot } from '../lib/state/state-root.ts'

/** A row of the table. */
export interface PrecompileInput {
  readonly network: 'ethereum' | 'network33'
  readonly name: string
  /** Description of the input. */
  readonly what: string
  readonly input: Uint8Array
  /** The hard fork whose prices apply on Ethereum; the newest unless given. */
  readonly hardfork?: Hardfork
  /** Other members of the call. */
  readonly special?: Partial<PrecompileCall>
  /** Required Mgas/s. */
  readonly target?: number
}

const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts))
const repeated = (count: number, part: (index: number) => Uint8Array): Uint8Array =>
  join(...Array.from({ length: count }, (_, index) => part(index + 1)))
const ones = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(0xff)
const noise = (bytes: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, index) => (index * 167) % 251)
const word = (value: number): Uint8Array => bigIntToBytes32(BigInt(value))

const contracts = new Map(
  [...ethereumPrecompiles(activeEips({ ownEips: undefined, hardfork: 'osaka', eips: [] })).values()].map(
    (contract) => [contract.name, contract],
  ),
)

/** Output of a precompile, to make inputs of. */
const answer = (name: string, input: Uint8Array): Uint8Array =>
  contracts.get(name)!.run({ input } as PrecompileCall)

const HASH = sha256(word(1))
const SECP256K1 = curve.sign(HASH, word(7))
const secpPoint = (factor: number): Uint8Array => curve.publicKey(word(factor))

const bn1 = (factor: number): Uint8Array =>
  answer('bn254Multiply', join(word(1), word(2), sha256(word(factor))))
/** The generator of the second group (EIP-197). */
const BN2 = fromHex(
  '0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2' +
    '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
    '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b' +
    '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
)

const element = (seed: number): Uint8Array => join(new Uint8Array(32), sha256(word(seed)))
const bls1 = (seed: number): Uint8Array => answer('blsMapToG1', element(seed))
const bls2 = (seed: number): Uint8Array => answer('blsMapToG2', join(element(seed), element(seed + 1)))

const modexp = (base: number, exponent: number, modulus: number, lowest = 0xff): Uint8Array =>
  join(
    word(base),
    word(exponent),
    word(modulus),
    noise(base),
    ones(exponent),
    ones(modulus - 1),
    Uint8Array.of(lowest),
  )

/** A signature on P-256 of a hash, as the precompile reads it. */
function p256Signature(): Uint8Array {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const signature = sign('sha256', word(1), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return join(HASH, signature, Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'))
}

/** The input of geth's test of the precompile. */
function pointEvaluation(): Uint8Array {
  const commitment = fromHex(
    '0x8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7',
  )
  return join(
    Uint8Array.of(1, ...sha256(commitment).subarray(1)),
    fromHex('0x564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306'),
    fromHex('0x24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1'),
    commitment,
    fromHex(
      '0x873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a',
    ),
  )
}

const blake2f = (rounds: number): Uint8Array =>
  join(word(rounds).subarray(28), noise(64), noise(128), noise(16), Uint8Array.of(1))

type Row = readonly [
  name: string,
  what: string,
  input: Uint8Array,
  more?: Pick<PrecompileInput, 'target' | 'special' | 'hardfork'>,
]

/** Modular exponentiation was cheaper before Osaka (EIP-2565, EIP-7883). */
const PRAGUE = { hardfork: 'prague' } as const

const ethereum: readonly Row[] = [
  ['ecrecover', 'a signature', join(HASH, word(27 + SECP256K1.recovery), SECP256K1.r, SECP256K1.s)],
  ['ecrecover', 'a signature that no key made', join(HASH, word(27), word(5), word(1))],
  ['sha256', 'no bytes', new Uint8Array(0)],
  ['sha256', '1 MiB', noise(2 ** 20)],
  ['ripemd160', 'no bytes', new Uint8Array(0)],
  ['ripemd160', '1 MiB', noise(2 ** 20)],
  ['identity', 'no bytes', new Uint8Array(0)],
  ['identity', '1 MiB', noise(2 ** 20)],
  ['modexp', '1 byte, exponent of 32', modexp(1, 32, 1)],
  ['modexp', '8 bytes, exponent of 32', modexp(8, 32, 8)],
  ['modexp', '32 bytes each', modexp(32, 32, 32)],
  ['modexp', '40 bytes, exponent of 32', modexp(40, 32, 40)],
  ['modexp', '32 bytes, exponent of 1024', modexp(32, 1024, 32)],
  ['modexp', '256 bytes, exponent of 32', modexp(256, 32, 256)],
  ['modexp', '1024 bytes, exponent of 32', modexp(1024, 32, 1024)],
  ...[8, 16, 32, 256].map((bytes): Row => {
    return ['modexp', `${bytes} bytes, exponent of 32 (Prague)`, modexp(bytes, 32, bytes), PRAGUE]
  }),
  ['modexp', '8 bytes, exponent of 75 (Prague)', modexp(8, 75, 8), PRAGUE],
  ['modexp', '32 bytes, even modulus (Prague)', modexp(32, 32, 32, 0xfe), PRAGUE],
  ['modexp', '64 bytes, exponent of 1 (Prague)', modexp(64, 1, 64), PRAGUE],
  ['bn254Add', 'two points', join(bn1(1), bn1(2))],
  ['bn254Multiply', 'by all ones', join(bn1(1), ones(32))],
  ['bn254Pairing', '1 pair', join(bn1(1), BN2)],
  ['bn254Pairing', '10 pairs', repeated(10, (index) => join(bn1(index), BN2))],
  ['blake2f', '12 rounds', blake2f(12)],
  ['blake2f', '10 million rounds', blake2f(10_000_000), { target: 50 }],
  ['pointEvaluation', 'a proof', pointEvaluation()],
  ['blsG1Add', 'two points', join(bls1(1), bls1(2))],
  ['blsG1MultiplyAll', '1 point', join(bls1(1), ones(32))],
  ['blsG1MultiplyAll', '2 points', repeated(2, (index) => join(bls1(index), ones(32)))],
  ['blsG1MultiplyAll', '16 points', repeated(16, (index) => join(bls1(index), ones(32)))],
  ['blsG1MultiplyAll', '128 points', repeated(128, (index) => join(bls1(index), sha256(word(index))))],
  ['blsG2Add', 'two points', join(bls2(1), bls2(2))],
  ['blsG2MultiplyAll', '1 point', join(bls2(1), ones(32))],
  ['blsG2MultiplyAll', '2 points', repeated(2, (index) => join(bls2(index), ones(32)))],
  ['blsG2MultiplyAll', '16 points', repeated(16, (index) => join(bls2(index), ones(32)))],
  ['blsG2MultiplyAll', '128 points', repeated(128, (index) => join(bls2(index), sha256(word(index))))],
  ['blsPairing', '1 pair', join(bls1(1), bls2(1))],
  ['blsPairing', '10 pairs', repeated(10, (index) => join(bls1(index), bls2(index)))],
  ['blsMapToG1', 'an element', element(1)],
  ['blsMapToG2', 'an element', join(element(1), element(2))],
  ['p256Verify', 'a signature', p256Signature()],
]

/** The executing block, with as many ancestors as the deepest query needs. */
function blockAfterMany(): BlockContext {
  const header = { gasLimit: 6_800_000n, difficulty: 1n, minimumGasPrice: 0n, coinbase: toAddress(noise(20)) }
  const hash = toHash(noise(32))
  let parent: ChainEntry | undefined
  for (let number = 0n; number < 4_001n; number++) {
    const content = { header: { ...header, number }, hash, uncles: [], totalDifficulty: number }
    parent = new ChainEntry({ parent, block: content as unknown as Block, state: StateRoot.empty })
  }
  return { ancestor: ancestorsFrom(parent) } as BlockContext
}

/** Call data of a function of a precompile. */
function called(methods: readonly Callable[], wanted: string, ...values: readonly unknown[]): Uint8Array {
  const { selector, inputs } = methods.find(({ name }) => name === wanted)!
  return join(fromHex(selector), encodeAbi(inputs, values))
}

type Callable = Pick<BridgeMethod, 'name' | 'selector' | 'inputs'>

const block = blockAfterMany()
const EXTENDED_KEY =
  'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB'
const secpKey = (factor: number): Uint8Array => join(Uint8Array.of(4), secpPoint(factor))
const keys = (count: number): readonly Uint8Array[] =>
  Array.from({ length: count }, (_, index) => secpKey(index + 1))
const wallet = (name: string, ...values: readonly unknown[]): Row => {
  return ['hdWalletUtils', name, called(hdWalletUtilsMethods, name, ...values)]
}
const bridge = (name: string, ...values: readonly unknown[]): Row => {
  return ['bridge', name, called(BRIDGE_METHODS, name, ...values), { special: { block } }]
}
const header = (name: string, depth: bigint): Row => {
  const input = called(blockHeaderMethods, name, depth)
  return ['blockHeader', `${name} at depth ${depth}`, input, { special: { block } }]
}

const network33: readonly Row[] = [
  ['secp256k1Add', 'two points', join(secpPoint(2), secpPoint(3))],
  ['secp256k1Multiply', 'by all ones', join(secpPoint(2), ones(32))],
  bridge('getStateForDebugging'),
  bridge('getActivePegRedeemScript'),
  bridge('getFeePerKb'),
  bridge('getStateForSvpClient'),
  bridge('getFederationAddress'),
  bridge('getFederatorPublicKeyOfType', 0n, 'btc'),
  ['feeContract', 'getStateForDebugging', fromHex('0x0d0cee93')],
  wallet('toBase58Check', noise(20), 111n),
  wallet('deriveExtendedPublicKey', EXTENDED_KEY, '1/2/3/4/5/6/7/8/9/10'),
  wallet('extractPublicKeyFromExtendedPublicKey', EXTENDED_KEY),
  wallet('getMultisigScriptHash', 15n, keys(15)),
  header('getCoinbaseAddress', 0n),
  header('getBlockHash', 3999n),
  ['environment', 'getCallStackDepth', called(environmentMethods, 'getCallStackDepth')],
]

const inputs =
  (network: PrecompileInput['network']) =>
  ([name, what, input, more]: Row): PrecompileInput => ({ network, name, what, input, target: 8, ...more })

/** The rows of the table. */
export const PRECOMPILE_INPUTS: readonly PrecompileInput[] = [
  ...ethereum.map(inputs('ethereum')),
  ...network33.map(inputs('network33')),
]
