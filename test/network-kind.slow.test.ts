/** The kind of a network is the matter of one room. The compiler of TypeScript takes seconds for the types of all of lib. */

import { expect, test } from '@jest/globals'
import { kindReads } from './support/kind-reads.ts'

/** Code that reads the kind in every way that TypeScript has. */
const asking = {
  name: 'asking.ts',
  text: [
    "import type { Network } from './config/network.ts'",
    "import type { Header } from './networks/consensus/header-fields.ts'",
    "export const byMember = (network: Network) => network.kind === 'ethereum'",
    'export const byPart = ({ kind }: Pick<Network, "kind">) => kind',
    'export const byOtherName = ({ kind: form }: Network) => form',
    "export const byIndex = (network: Network) => network['kind']",
    "export const byText = (form: string) => form === 'merged-mining'",
    'export const byShape = (header: Header) => header.mergedMining !== undefined',
    "export const byName = (header: Header) => 'mergedMining' in header",
    "export const other = (mode: { kind: 'ethereum' | 'instant' }) => mode.kind === 'ethereum'",
  ].join('\n'),
}
const lineOf = (place: string) => Number(place.split(':')[1])

test('the kind of a network is read in the room of networks only, and named in the schema of networks', () => {
  const reads = kindReads(asking)
  const isAsking = (place: string) => place.startsWith('asking.ts:')
  expect(reads.filter(isAsking).map(lineOf)).toEqual([3, 4, 5, 6, 7, 8, 9])
  const named = ['config/network-schema.ts:', 'config/network-traits.ts:']
  const isAllowed = (place: string) =>
    place.startsWith('networks/') || named.some((file) => place.startsWith(file))
  expect(reads.filter((place) => !isAllowed(place) && !isAsking(place))).toEqual([])
}, 120_000)
