/** Methods that lib/embed/rpc-types.ts does not have yet; the file goes when it has them. */

import '../../lib/embed/rpc-types.ts'

declare module '../../lib/embed/rpc-types.ts' {
  interface RpcMethods {
    readonly dev_nameAddresses: {
      readonly params: [addresses: readonly string[]]
      readonly result: {
        readonly names: Readonly<Record<string, string>>
        readonly units: Readonly<Record<string, { readonly symbol: string; readonly decimals: number }>>
      }
    }
    readonly dev_describeTransactions: {
      readonly params: [hashes: readonly string[]]
      readonly result: readonly ({
        readonly from: string
        readonly call: string
        readonly reason?: string | undefined
      } | null)[]
    }
  }
}
