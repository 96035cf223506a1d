/** Lists the supported hard forks, oldest first. eips.ts lists their EIPs. */

export const HARDFORKS = ['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka'] as const

/** Name of a hard fork, as @ethereumjs/common spells it. */
export type Hardfork = (typeof HARDFORKS)[number]
