/** Names of the interfaces of the machine that the node listens on. */

/** Value of --host that stands for every interface, of IPv6 too where the machine has it. */
export const ALL_INTERFACES = 'all'

/** Addresses and names of every interface, each with the address under which this machine reaches itself. */
export const OWN_ADDRESS_OF: ReadonlyMap<string, string> = new Map([
  [ALL_INTERFACES, '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])
