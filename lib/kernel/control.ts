/** Declares methods that change the chain or its settings and return no data. */

import type * as z from 'zod'
import { converted, type Later } from '../base/routine.ts'
import { flag, nothing } from '../schema/results.ts'
import { writeMethod } from './method.ts'
import type { Args, Method, Param, RpcMethodDeclaration } from './method.ts'
import type { RequestContext } from './request-context.ts'

interface ControlDeclaration<Params extends readonly Param[], Scope> extends Omit<
  RpcMethodDeclaration<Params, z.ZodType, Scope>,
  'result' | 'run'
> {
  readonly run: (args: Args<Params>, scope: Scope, context: RequestContext) => Later<void>
}

/** The result of `control`. */
export const controlResultSchema = flag.nullable()

/** True as in Hardhat and Ganache; null as in Anvil, whose typed clients (alloy) accept nothing else. */
export const controlResult = ({ dialect }: RequestContext, hadEffect = true): boolean | null =>
  dialect === 'ethereum' ? null : hadEffect

/** Declares methods as `writeMethod` does (kernel/method.ts), all with the same kind of result. */
const declaring =
  <Result extends z.ZodType>(result: Result, resultIn: (context: RequestContext) => z.input<Result>) =>
  <Scope, const Params extends readonly Param[] = readonly []>({
    run,
    ...declaration
  }: ControlDeclaration<Params, Scope>): Method<Scope> =>
    writeMethod({
      ...declaration,
      result,
      run: (args: Args<Params>, scope: Scope, context) =>
        converted(run(args, scope, context), () => resultIn(context)),
    })

/** Declares a method whose result depends on the dialect: true or null. */
export const control = declaring(controlResultSchema, (context) => controlResult(context))

/** Declares a method whose result is null in every dialect. */
export const command = declaring(nothing, () => null)

export const confirmed = declaring(flag, () => true)
