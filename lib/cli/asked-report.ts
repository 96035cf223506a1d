/** A file of failures that commands ask as they ask a node. */

import { relative } from 'node:path'
import { NodeError } from '../base/errors.ts'
import { timeText } from '../base/host.ts'
import type { AskedNode } from '../client/node-client.ts'
import { DevNode } from '../embed/dev-node.ts'
import { openReport, readReport } from '../embed/opened-report.ts'
import { ProviderError } from '../embed/provider-api.ts'

/** Opens a file. @throws NodeError 'invalidOption', 'invalidState' */
export async function askedReport(
  path: string,
  isNamed: boolean,
): Promise<AskedNode & { readonly close: () => Promise<void> }> {
  const content = await readReport(path)
  const node = new DevNode(await openReport(content), {})
  return {
    name: `the run of ${timeText(content.at)} (${relative('.', path)})`,
    flag: isNamed ? ` ${path}` : '',
    ask: async ([method, ...params], result) => {
      const answer = await node.provider.request({ method, params }).catch((cause: unknown) => {
        if (cause instanceof ProviderError) throw new NodeError('invalidOption', cause.message, { cause })
        throw cause
      })
      return result.parse(answer)
    },
    close: () => node.close(),
  }
}
