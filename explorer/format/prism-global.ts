/** The grammars of Prism add themselves to this global. Nothing on the page is highlighted but what is asked for. */

import Prism from 'prismjs/components/prism-core'

Prism.manual = true
Object.assign(globalThis, { Prism })
