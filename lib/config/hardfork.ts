/** Lists the supported hard forks, oldest first. eips.ts lists their EIPs. */

export const HARDFORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka', 'amsterdam'] as const

/** Name of a hard fork, as @ethereumjs/common spells it. */
export type Hardfork = (typeof HARDFORKS)[number]

/** The next fork of network 33, which has no name yet and whose rules are drafts (node-next 2). */
export const NEXT_FORK = 'next'

/** The hard forks that an option or a preset can name. */
export const NETWORK_FORKS = [...HARDFORKS, NEXT_FORK] as const

/** Hard fork of a network. */
export type NetworkFork = (typeof NETWORK_FORKS)[number]

/** Hard forks whose rules are drafts: those of amsterdam are of a release of its public tests (docs/eips.md). */
export const DRAFT_FORKS: ReadonlySet<NetworkFork> = new Set(['amsterdam', NEXT_FORK])
