/**
 * Codes of what can go wrong in a start or a run. fixtures/troubles.json has their texts, from which `dev-node help <code>` and
 * docs/troubleshooting.md are made. A code is a word with a prefix: people remember `DN-PORT` better than a number, searches find it,
 * and no command has that name. It stays when its texts change.
 */

import type troubles from '../../fixtures/troubles.json'

type Troubles = typeof troubles

export type TroubleCode = {
  [Group in keyof Troubles]: keyof Troubles[Group] & `DN-${string}`
}[keyof Troubles]
