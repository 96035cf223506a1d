/** Prints the processor time from the import of the package to its first answer, in milliseconds. */

const before = process.cpuUsage()
const { createNode } = await import('dev-node')
const node = await createNode({ network: 'ethereum' })
await node.provider.request({ method: 'eth_chainId' })
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1000)
await node.close()
