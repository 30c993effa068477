// GET /downloads/…: the SDK and the command line that fit this server, for companies that have only its address and a key.
import { Type } from 'typebox'
import { ApiError } from '../errors.ts'
import { publicRoute, type Route } from '../http/route.ts'
import { answerWithFile } from '../http/served-file.ts'
import { field, object } from '../lib/wire.ts'
import { createDownloads, type Downloads } from './files.ts'

const NAMES = '`sdk.tgz`, `cli.tgz` or `SHA256SUMS`'

export function downloadRoutes(downloads: Downloads = createDownloads()): Route[] {
  return [
    publicRoute({
      method: 'GET',
      path: '/downloads/:file',
      tag: 'system',
      id: 'getDownload',
      summary: 'Download the SDK or the command line',
      description:
        'Returns the package of the SDK or of the command line that fits this server, or the checksums of both. `npm install` takes the address of a package.',
      params: object({ file: field(Type.String({ maxLength: 100 }), `The name of the file: ${NAMES}.`) }),
      responses: { 200: Type.String({ contentMediaType: 'application/octet-stream' }), 304: null },
      handle: async ({ params, headers }) => {
        const file = await downloads.find(params.file)
        if (file === undefined)
          throw new ApiError('not_found', `There is no such file. There are ${NAMES.replaceAll('`', '')}.`, {
            param: 'file',
          })
        if (file === 'missing')
          throw new ApiError(
            'not_found',
            'The packages were not built with this server. Ask its operator, or use the files of the release.',
            { param: 'file' },
          )
        return answerWithFile(file, headers)
      },
    }),
  ]
}
