/** Declares pairs of methods that read a block: one takes its hash, the other its number or tag. */

import type * as z from 'zod'
import { blockHashRef, simpleBlockRef } from '../schema/requests.ts'
import { param, readMethod, type Method, type Param, type RpcMethodDeclaration } from '../kernel/method.ts'

type BlockParam = Param<'block', typeof simpleBlockRef>

/** Declaration of a pair. `params` are those after the block. */
interface PairDeclaration<Others extends readonly Param[], Result extends z.ZodType, Scope> extends Omit<
  RpcMethodDeclaration<readonly [BlockParam, ...Others], Result, Scope>,
  'name' | 'aliases' | 'params' | 'example'
> {
  readonly params: Others
}

interface Variant extends Pick<
  RpcMethodDeclaration<readonly [], z.ZodType, never>,
  'name' | 'aliases' | 'example'
> {
  readonly blockParam?: string
}

/** Declares a pair of methods. `run` gets the block as `block`. */
export function blockReaders<Scope, Result extends z.ZodType, const Others extends readonly Param[]>(
  byHash: Variant,
  byNumber: Variant,
  { params, ...declaration }: PairDeclaration<Others, Result, Scope>,
): readonly Method<Scope>[] {
  const pairs = [
    [byHash, param('block', blockHashRef, 'Hash of the block.'), 'hash'],
    [byNumber, param('block', simpleBlockRef, 'Number or tag of the block.'), 'block'],
  ] as const
  return pairs.map(([{ blockParam, ...variant }, block, name]) =>
    readMethod({ ...declaration, ...variant, params: [{ ...block, name: blockParam ?? name }, ...params] }),
  )
}
