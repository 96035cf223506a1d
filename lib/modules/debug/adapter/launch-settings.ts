/** The settings of a debug session, as an editor sends them from launch.json. */

import * as z from 'zod'
import { refuseOption } from '../../../base/errors.ts'
import { attachSettings } from '../params.ts'

const settings = z.looseObject({
  url: z
    .url({ protocol: /^https?$/, error: 'expected the URL of a node, such as http://127.0.0.1:4444' })
    .optional(),
  projectRoot: z.string().optional(),
  transaction: z
    .string()
    .regex(/^0x[\da-f]{64}$/i, 'expected the hash of a transaction')
    .optional(),
  failure: z
    .union([z.literal('last'), z.int().positive()], 'expected "last" or the id of a failure')
    .optional(),
  call: z.record(z.string(), z.unknown()).optional(),
  block: z.unknown().optional(),
  stopOnEntry: z.boolean().optional(),
  pauseOn: attachSettings.shape.pauseOn.unwrap().optional(),
})

/** Settings of a debug session. */
export type SessionSettings = z.output<typeof settings>

/** Reads the settings. @throws NodeError 'invalidOption' naming the setting */
export function readSettings(given: unknown): SessionSettings {
  const { data, error } = settings.safeParse(given ?? {})
  const [issue] = error?.issues ?? []
  return data ?? refuseOption(`${issue?.path.join('.') || 'settings'}: ${issue?.message ?? 'invalid'}`)
}

/** The URL of the node, by the settings or the environment. */
export const urlOf = (
  { url }: SessionSettings,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined => url ?? (env['DEV_NODE_URL'] || undefined)

/** The execution to record: a mined transaction, a failure that the node keeps, or a call on the state after a block. */
export type LaunchTarget = Pick<SessionSettings, 'transaction' | 'failure' | 'call' | 'block'>

/** What a launch debugs. @throws NodeError 'invalidOption' unless it is one thing */
export function targetOf({ transaction, failure, call, block }: SessionSettings): LaunchTarget {
  const given = [transaction, failure, call].filter((one) => one !== undefined)
  if (given.length !== 1) refuseOption('launch: name one of transaction, failure and call')
  return { transaction, failure, call, block }
}
