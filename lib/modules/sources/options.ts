/** Declares the options that say where sources of contracts of others are: providers, folders, compilers. */

import { didYouMean } from '../../config/nearest.ts'
import { declare, inGroup } from '../../config/option-description.ts'
import { readRemoteUrls } from '../../config/fork-options.ts'
import * as option from '../../config/option-values.ts'
import { matching, show } from '../../config/values.ts'

/** Providers of sources, with the URLs of their public servers. */
const PROVIDERS = {
  sourcify: 'https://sourcify.dev/server',
  etherscan: 'https://api.etherscan.io/v2/api',
} as const

/** A server that speaks the protocol of a provider. */
export interface SourceServer {
  readonly kind: keyof typeof PROVIDERS
  readonly url: string
}

/** Where sources are looked for: a server, or a folder with artifacts. */
type SourceOrigin = SourceServer | { readonly kind: 'folder'; readonly path: string }

const isProvider = (name: string): name is keyof typeof PROVIDERS => Object.hasOwn(PROVIDERS, name)

/** Reads a place of sources; a text if it is none, which says what is wrong. */
function readSourceOrigin(text: string): SourceOrigin | string {
  const [, name = '', url] = /^(\w+)=(.*)$/s.exec(text) ?? [undefined, text]
  if (isProvider(name)) {
    const [read, ...more] = url === undefined ? [PROVIDERS[name]] : (readRemoteUrls(url) ?? [])
    if (read !== undefined && more.length === 0) return { kind: name, url: read }
    return `expected the URL of a server after ${name}=, with http:// or https://, got "..."`
  }
  // A word without a separator is more likely a mistyped name than a folder.
  if (url === undefined && /[/\\.]/.test(text)) return { kind: 'folder', path: text }
  const known = Object.keys(PROVIDERS)
  return `expected ${known.join(', ')}, or a folder with a slash, as ./sources, got ${show(name)}${didYouMean(name, known)}`
}

/** The servers and the folders of the option, in its order. */
export function sourceOrigins(sources: readonly string[]) {
  const places = sources.map(readSourceOrigin).filter((place) => typeof place === 'object')
  const servers = places.filter((place) => place.kind !== 'folder')
  return { servers, folders: places.flatMap((place) => (place.kind === 'folder' ? [place.path] : [])) }
}

const sourceList = option.textList.superRefine((items, context) => {
  for (const item of items) {
    const place = readSourceOrigin(item)
    if (typeof place === 'string') context.addIssue({ code: 'custom', message: place })
  }
})

/** A key, which errors do not show. */
const secret = matching('a key without spaces', /^[\u0021-\u007E]+$/, () => show('...'))

export const sourceOptions = inGroup('Output', {
  sources: declare(
    sourceList.default([]),
    'Where to look for sources of contracts of a forked chain: sourcify, etherscan (also name=URL), a folder; may be repeated, the first one that has them counts. By default, none is asked.',
    { form: 'list' },
  ),
  etherscanKey: declare(
    secret.optional(),
    'Key for the API of Etherscan. Better set the variable ETHERSCAN_API_KEY: other processes can see a flag.',
    { defaultDescription: 'none', otherEnv: 'ETHERSCAN_API_KEY' },
  ),
  solc: declare(
    option.textList.default([]),
    'The compiler for downloaded sources: a program solc, or a folder with several versions; may be repeated. Without it, the folders of Hardhat and Foundry are searched.',
    { form: 'list' },
  ),
})
