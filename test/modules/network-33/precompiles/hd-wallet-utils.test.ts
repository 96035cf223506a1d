import { HDNodeWallet, SigningKey } from 'ethers'
import type { HDNodeVoidWallet } from 'ethers'
import { describe, expect, test } from '@jest/globals'
import { hdWalletUtils } from '../../../../lib/modules/network-33/precompiles/hd-wallet-utils.ts'
import { PrecompileFailure } from '../../../../lib/evm/precompile.ts'
import { callData, decoded, gasOf, runPrecompile } from '../../../support/precompile-calls.ts'

const calls = {
  toBase58Check: (hash: string, version: bigint | number) =>
    callData('0x838c2a31', ['bytes', 'int256'], [hash, version]),
  derive: (key: string, path: string) => callData('0xab65ddb7', ['string', 'string'], [key, path]),
  extract: (key: string) => callData('0x815a4f90', ['string'], [key]),
  multisig: (signatures: bigint | number, keys: readonly string[]) =>
    callData('0x8ad13825', ['int256', 'bytes[]'], [signatures, keys]),
}

const answer = (type: string, input: string) => decoded(type, runPrecompile(hdWalletUtils, input))
const failing = (input: string) => () => runPrecompile(hdWalletUtils, input)
const refused = (text: string) =>
  expect.objectContaining({ name: 'PrecompileFailure', message: expect.stringContaining(text) })

/** Steps of BIP-32, test vectors 1 and 2, that can be derived from public keys. */
const STEPS: [chain: string, parent: string, path: string, child: string][] = [
  [
    "1: m/0'",
    'xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw',
    '1',
    'xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ',
  ],
  [
    "1: m/0'/1/2'",
    'xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5',
    '2/1000000000',
    'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
  ],
  [
    '2: m',
    'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB',
    '0',
    'xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH',
  ],
  [
    "2: m/0/2147483647'/1/2147483646'",
    'xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL',
    '2',
    'xpub6FnCn6nSzZAw5Tw7cgR9bi15UV96gLZhjDstkXXxvCLsUXBGXPdSnLFbdpq8p9HmGsApME5hQTZ3emM2rnY5agb9rXpVGyy3bdW6EEgAtqt',
  ],
]

const MASTER = STEPS[2]![1]
const TEST_KEY =
  'tpubD6NzVbkrYhZ4YHQqwWz3Tm1ESZ9AidobeyLG4mEezB6hN8gFFWrcjczyF77Lw3HEs6Rjd2R11BEJ8Y9ptfxx9DFknkdujp58mFMx9H5dc1r'

const key = (factor: number) => new SigningKey(`0x${factor.toString(16).padStart(64, '0')}`)
const keys = (count: number) =>
  Array.from({ length: count }, (_, index) => key(index + 1).compressedPublicKey)

describe('deriveExtendedPublicKey', () => {
  test.each(STEPS)('follows BIP-32, vector %s', (_chain, parent, path, child) => {
    expect(answer('string', calls.derive(parent, path))).toBe(child)
  })

  test.each([
    [
      '2/3/4',
      'tpubDCGMkPKredy7oh6zw8f4ExWFdTgQCrAHToF1ytny3gbVy9GkUNK2Nqh7NbKbh8dkd5VtjUiLJPkbEkeg29NVHwxYwzHJFt9SazGLZrrU4Y4',
    ],
    [
      '2147483647',
      'tpubD8fY35uPCY1rUjMUZwhkGUFi33pwkffMEBaCsTSw1he2AbM6DMbPaRR2guvk5qTWDfE9ubFB5pzuUNnMtsqbCeKAAjfepSvEWyetyF9Q4fG',
    ],
  ])('derives keys of a test network: %s', (path, child) => {
    expect(answer('string', calls.derive(TEST_KEY, path))).toBe(child)
  })

  test('agrees with another implementation over ten levels', () => {
    const path = '0/1/2/3/44/555/6666/77777/888888/2147483647'
    const other = HDNodeWallet.fromExtendedKey(MASTER).derivePath(path) as HDNodeVoidWallet
    expect(answer('string', calls.derive(MASTER, path))).toBe(other.extendedKey)
  })

  test.each([
    ['', "'' in the path"],
    ['/0', "'' in the path"],
    ['0/', "'' in the path"],
    ['m/0', "'m' in the path"],
    ["0/1'", `'1'' in the path`],
    ['0/-1', "'-1' in the path"],
    ['0/0x1', "'0x1' in the path"],
    ['2147483648', 'not a number below 2^31'],
    ['0/1/2/3/4/5/6/7/8/9/10', '11 levels, expected at most 10'],
  ])('rejects the path %j', (path, text) => {
    expect(failing(calls.derive(MASTER, path))).toThrow(refused(text))
  })

  test('rejects a child of the deepest level', () => {
    const deepest = HDNodeWallet.fromExtendedKey(MASTER) as HDNodeVoidWallet
    let text = deepest.extendedKey
    for (let level = 0; level < 25; level++) {
      text = String(answer('string', calls.derive(text, '0/0/0/0/0/0/0/0/0/0')))
    }
    text = String(answer('string', calls.derive(text, '0/0/0/0/0')))
    expect(failing(calls.derive(text, '0'))).toThrow(refused('depth 255 has no child 0'))
  })

  test('costs 107,000 gas', () => {
    expect(gasOf(hdWalletUtils, calls.derive(MASTER, '0'))).toBe(107_000)
  })
})

describe('an extended public key', () => {
  const secret =
    'xprv9s21ZrQH143K31xYSDQpPDxsXRTUcvj2iNHm5NUtrGiGG5e2DtALGdso3pGz6ssrdK4PFmM8NSpSBHNqPqm55Qn3LqFtT2emdEXVYsCzC2U'
  test.each([
    ['is not private', secret],
    ['has a valid checksum', `${MASTER.slice(0, -1)}C`],
    ['is not empty', ''],
    ['is in base 58', MASTER.replace('6', '0')],
    ['is as long as a key', MASTER.slice(0, 60)],
    ['is no longer', 'x'.repeat(100_000)],
    ['is a text', 'this-is-not-an-xpub'],
  ])('%s', (_rule, text) => {
    expect(failing(calls.extract(text))).toThrow(refused('is not an extended public key'))
    expect(failing(calls.derive(text, '0'))).toThrow(refused('is not an extended public key'))
  })
})

describe('extractPublicKeyFromExtendedPublicKey', () => {
  test.each(STEPS)('returns 33 bytes: %s', (_chain, parent) => {
    const expected = (HDNodeWallet.fromExtendedKey(parent) as HDNodeVoidWallet).publicKey
    expect(answer('bytes', calls.extract(parent))).toBe(expected)
  })

  test('costs 11,300 gas', () => {
    expect(gasOf(hdWalletUtils, calls.extract(MASTER))).toBe(11_300)
  })
})

describe('toBase58Check', () => {
  test.each([
    // The key 1 in its compressed form, on the main and on a test network.
    ['0x751e76e8199196d454941c45d1b3a323f1433bd6', 0, '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH'],
    ['0x751e76e8199196d454941c45d1b3a323f1433bd6', 111, 'mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r'],
    ['0x0d3bf5f30dda7584645546079318e97f0e1d044f', 111, 'mgivuh9jErcGdRr81cJ3A7YfgbJV7WNyZV'],
  ])('%s with version %i', (hash, version, expected) => {
    expect(answer('string', calls.toBase58Check(hash, version))).toBe(expected)
  })

  test.each([
    ['a short hash', calls.toBase58Check(`0x${'11'.repeat(19)}`, 0), 'has 19 bytes, expected 20'],
    ['a long hash', calls.toBase58Check(`0x${'11'.repeat(21)}`, 0), 'has 21 bytes, expected 20'],
    ['a negative version', calls.toBase58Check(`0x${'11'.repeat(20)}`, -1), 'version -1'],
    ['a version above a byte', calls.toBase58Check(`0x${'11'.repeat(20)}`, 256), 'version 256'],
  ])('rejects %s', (_case, input, text) => {
    expect(failing(input)).toThrow(refused(text))
  })

  test('costs 13,000 gas', () => {
    expect(gasOf(hdWalletUtils, calls.toBase58Check('0x', 0))).toBe(13_000)
  })
})

describe('getMultisigScriptHash', () => {
  const PUBLISHED = [
    '0x03b53899c390573471ba30e5054f78376c5f797fda26dde7a760789f02908cbad2',
    '0x027319afb15481dbeb3c426bcc37f9a30e7f51ceff586936d85548d9395bcc2344',
    '0x0355a2e9bf100c00fc0a214afd1bf272647c7824eb9cb055480962f0c382596a70',
    '0x02566d5ded7c7db1aa7ee4ef6f76989fb42527fcfdcddcd447d6793b7d869e46f7',
    '0x0294c817150f78607566e961b3c71df53a22022a80acbb982f83c0c8baac040adc',
    '0x0372cd46831f3b6afd4c044d160b7667e8ebf659d6cb51a825a3104df6ee0638c6',
    '0x0340df69f28d69eef60845da7d81ff60a9060d4da35c767f017b0dd4e20448fb44',
    '0x02ac1901b6fba2c1dbd47d894d2bd76c8ba1d296d65f6ab47f1c6b22afb53e73eb',
    '0x031aabbeb9b27258f98c2bf21f36677ae7bae09eb2d8c958ef41a20a6e88626d26',
    '0x0245ef34f5ee218005c9c21227133e8568a4f3f11aeab919c66ff7b816ae1ffeea',
    '0x02550cc87fa9061162b1dd395a16662529c9d8094c0feca17905a3244713d65fe8',
    '0x02481f02b7140acbf3fcdd9f72cf9a7d9484d8125e6df7c9451cfa55ba3b077265',
    '0x03f909ae15558c70cc751aff9b1f495199c325b13a9e5b934fd6299cd30ec50be8',
    '0x02c6018fcbd3e89f3cf9c7f48b3232ea3638eb8bf217e59ee290f5f0cfb2fb9259',
    '0x03b65694ccccda83cbb1e56b31308acd08e993114c33f66a456b627c2c1c68bed6',
  ]
  const HASH = '0x51f103320b435b5fe417b3f3e0f18972ccc710a0'

  test.each([
    ['as given', PUBLISHED],
    ['reversed', [...PUBLISHED].reverse()],
    ['uncompressed', PUBLISHED.map((each) => SigningKey.computePublicKey(each, false))],
  ])('8 of 15 keys %s', (_how, given) => {
    expect(answer('bytes', calls.multisig(8, given))).toBe(HASH)
  })

  test.each([
    [2, 20_000],
    [3, 20_700],
    [15, 29_100],
    [0, 20_000],
    [1, 20_000],
  ])('%i keys cost %i gas', (count, gas) => {
    expect(gasOf(hdWalletUtils, calls.multisig(1, keys(count)))).toBe(gas)
  })

  test.each([
    ['no signature', calls.multisig(0, keys(2)), '0 signatures, expected at least 1'],
    ['a negative number', calls.multisig(-1, keys(2)), '-1 signatures'],
    ['more than the keys', calls.multisig(3, keys(2)), '3 signatures of 2 public keys'],
    ['the largest number', calls.multisig(2n ** 255n - 1n, keys(2)), 'signatures of 2 public keys'],
    ['one key', calls.multisig(1, keys(1)), '1 public keys, expected from 2 to 15'],
    ['sixteen keys', calls.multisig(1, keys(16)), '16 public keys'],
    ['a key of 3 bytes', calls.multisig(1, [...keys(1), '0xaabbcc']), '0xaabbcc is not a public key'],
    ['a wrong prefix', calls.multisig(1, [...keys(1), `0x08${'56'.repeat(32)}`]), 'is not a public key'],
  ])('rejects %s', (_case, input, text) => {
    expect(failing(input)).toThrow(refused(text))
  })
})

describe('other call data', () => {
  test.each([
    ['nothing', '0x'],
    ['half a selector', '0x838c'],
    ['an unknown selector', '0x12345678'],
    ['a selector without arguments', '0x838c2a31'],
    ['arguments that end too early', calls.extract(MASTER).slice(0, 200)],
    ['an offset beyond the data', `0x815a4f90${'ff'.repeat(32)}`],
  ])('%s costs nothing and fails', (_case, input) => {
    expect(gasOf(hdWalletUtils, input)).toBe(0)
    expect(failing(input)).toThrow(PrecompileFailure)
    expect(failing(input)).toThrow(`Invalid data given: ${input.slice(2)}.`)
  })
})
