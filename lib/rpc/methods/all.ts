/** All methods, exported by this folder's files or by modules, and which of them a chain serves. */

import { oncePer } from '../../base/once.ts'
import type { NetworkNames } from '../../config/names.ts'
import type { Method } from '../../kernel/method.ts'
import type { Front } from '../../kernel/wire-form.ts'
import type { Node } from '../../node/node.ts'
import { OWN_FORM } from '../envelope.ts'
import { Registry } from '../registry.ts'
import type { AnyModule } from '../../kernel/running-modules.ts'
import * as exported from './exports.ts'

const isMethod = <Value>(value: Value): value is Extract<Value, Method> =>
  typeof value === 'object' && value !== null && 'prepare' in value

/** Does not compile if a method uses something that the node lacks. */
const methodsOfNode: readonly Method<Node>[] = Object.values(exported).flat().filter(isMethod)

/** True for methods of modules: NodeModule checks them against the node, which has the modules' parts. */
const isOfNode = (method: Method): method is Method<Node> => isMethod(method)

export const methodsOf = oncePer((modules: readonly AnyModule[]) => {
  const added = modules.flatMap(({ methods = [] }) => methods).filter(isOfNode)
  return new Registry([...methodsOfNode, ...added])
})

const ownMethods = oncePer((modules: readonly AnyModule[]) =>
  oncePer((names: NetworkNames) => methodsOf(modules).named(names)),
)
const methodsBehind = oncePer((front: Front) =>
  oncePer((modules: readonly AnyModule[]) => {
    const registry = new Registry(front.methods(methodsOf(modules).methods).filter(isOfNode))
    return oncePer((names: NetworkNames) => registry.named(names))
  }),
)

/** What a chain serves: its methods, and the form of envelopes and errors. With `isHelpful` it is always the node's own. */
export function servedBy({ network, modules }: Pick<Node, 'network' | 'modules'>, isHelpful = false) {
  const { names, kind } = network
  const front = isHelpful ? undefined : modules.front(kind)
  const methods = front === undefined ? ownMethods : methodsBehind(front)
  return { registry: methods(modules.on(kind))(names), form: front?.form ?? OWN_FORM }
}
