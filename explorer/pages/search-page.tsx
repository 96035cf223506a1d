/** All that a searched text can mean. */

import type { VNode } from 'preact'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { usePageTitle } from '../client/page-title.ts'
import { suggestionsFor } from '../client/suggestions.ts'
import { ChainText } from '../parts/chain-text.tsx'
import { NoNames, Showing } from '../parts/page-parts.tsx'
import { SuggestionText } from '../parts/suggestion-text.tsx'
import '../parts/requests.css'

export function SearchPage({ text }: { readonly text: string }): VNode {
  usePageTitle(`Search: ${text}`)
  const search = useLoaded(() => suggestionsFor(text), [text, chainVersion.value])
  return (
    <>
      <h1>
        <span>
          Search for “<ChainText text={text} />”
        </span>
      </h1>
      <section>
        <Showing of={search}>
          {(found) =>
            found.length === 0 ? (
              <>
                <p>Nothing has this name, and no hash or address begins with it.</p>
                <NoNames />
              </>
            ) : (
              <ul class="requests">
                {found.map((one) => (
                  <li key={`${one.page} ${one.text}`}>
                    <a href={`#${one.page}`}>
                      <SuggestionText of={one} />
                    </a>
                  </li>
                ))}
              </ul>
            )
          }
        </Showing>
      </section>
    </>
  )
}
