/**
 * Bundles the extension of VS Code into editors/vscode/dist, and packs it into a .vsix there. Such a file is a zip with a manifest of
 * its own. `vsce`, which publishes extensions, would bring 119 packages for that; fflate is one.
 */

import { readFile, rm, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { strToU8, zipSync } from 'fflate'

const folder = 'editors/vscode'

/** Names of a manifest, as XML has them in texts and attributes. */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** The manifest that VS Code and its market place read before the extension's own. */
const packageManifest = ({
  name,
  publisher,
  version,
  displayName,
  description,
  keywords,
  categories,
  engines,
}) =>
  `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${keywords.join()}</Tags>
    <Categories>${categories.join()}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace" />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`

const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json" />
  <Default Extension=".cjs" ContentType="application/javascript" />
  <Default Extension=".md" ContentType="text/markdown" />
  <Default Extension=".txt" ContentType="text/plain" />
  <Default Extension=".vsixmanifest" ContentType="text/xml" />
</Types>
`

await rm(`${folder}/dist`, { recursive: true, force: true })
await build({
  entryPoints: { extension: `${folder}/extension.ts` },
  outdir: `${folder}/dist`,
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  logLevel: 'warning',
})

const manifest = await readFile(`${folder}/package.json`, 'utf8')
const zip = zipSync({
  '[Content_Types].xml': strToU8(CONTENT_TYPES),
  'extension.vsixmanifest': strToU8(packageManifest(JSON.parse(manifest))),
  extension: {
    'package.json': strToU8(manifest),
    'README.md': await readFile(`${folder}/README.md`),
    'LICENSE.txt': await readFile('LICENSE'),
    dist: { 'extension.cjs': await readFile(`${folder}/dist/extension.cjs`) },
  },
})
const { name, version } = JSON.parse(manifest)
const file = `${folder}/dist/${name}-${version}.vsix`
await writeFile(file, zip)
console.log(`${file}: ${(zip.length / 1024).toFixed(1)} KB`)
