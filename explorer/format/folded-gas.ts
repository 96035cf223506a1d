/** Reads call paths with their gas. */

/** A contract or function, called from the one above it. */
export interface FlameNode {
  readonly name: string
  /** Gas of its own and of all that it called. */
  value: number
  readonly children: FlameNode[]
}

/** The tree of paths in the form of flame graphs: a line `A.f;B.g 123` is gas of B.g itself, called by A.f. */
export function treeOf(folded: string, name: string): FlameNode {
  const root: FlameNode = { name, value: 0, children: [] }
  for (const line of folded.split('\n').filter((one) => one !== '')) {
    const end = line.lastIndexOf(' ')
    const gas = Number(line.slice(end + 1))
    let node = root
    node.value += gas
    for (const part of line.slice(0, end).split(';')) {
      let child = node.children.find((one) => one.name === part)
      if (child === undefined) node.children.push((child = { name: part, value: 0, children: [] }))
      child.value += gas
      node = child
    }
  }
  return root
}
