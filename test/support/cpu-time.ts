/** Processor time of this process in milliseconds. Unlike the time on the clock, it hardly grows when the machine is busy. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
