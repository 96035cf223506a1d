/** Spreads worlds over the nodes of a test run. */

/**
 * URL of the node that has a world: by the number at the end of its id, which is that of a worker; without one, the first node. Every
 * worker finds the same node for an id. Undefined if the environment names no node.
 */
export function nodeOfWorld(
  world: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const urls = environment['DEV_NODE_URLS']?.split(' ') ?? []
  const number = Number(/\d{1,9}$/.exec(world)?.[0] ?? 0)
  return urls[number % urls.length] ?? environment['DEV_NODE_URL']
}
