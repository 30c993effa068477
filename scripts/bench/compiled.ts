// Loads the compiled server, because the benchmark measures what is released and not what a TypeScript loader makes of
// the sources. The types come from the sources, so type checking needs no build.
import type * as keyring from '../../server/src/access/keyring.ts'
import type * as app from '../../server/src/app/app.ts'
import type * as catalog from '../../server/src/catalog/catalog.ts'
import type * as config from '../../server/src/config/config.ts'
import type * as pipeline from '../../server/src/db/pipeline.ts'
import type * as pool from '../../server/src/db/pool.ts'
import type * as errors from '../../server/src/errors.ts'
import type * as authenticate from '../../server/src/http/authenticate.ts'
import type * as metrics from '../../server/src/http/metrics.ts'
import type * as route from '../../server/src/http/route.ts'
import type * as server from '../../server/src/http/server.ts'
import type * as clock from '../../server/src/lib/clock.ts'
import type * as digest from '../../server/src/lib/digest.ts'
import type * as secretKeys from '../../server/src/lib/secret-keys.ts'
import type * as ids from '../../server/src/lib/ids.ts'
import type * as log from '../../server/src/lib/log.ts'
import type * as rules from '../../server/src/operations/rules.ts'
import type * as schema from '../../server/src/operations/schema.ts'
import type * as connector from '../../server/src/webhooks/connector.ts'
import type * as deliver from '../../server/src/webhooks/deliver.ts'
import type * as resolver from '../../server/src/webhooks/resolver.ts'
import type * as secrets from '../../server/src/webhooks/secrets.ts'
import type * as loop from '../../server/src/worker/loop.ts'

const load = (file: string): Promise<unknown> => import(new URL(`../../server/dist/${file}`, import.meta.url).href)

export async function loadServer() {
  return {
    ...((await load('app/app.js')) as typeof app),
    ...((await load('config/config.js')) as typeof config),
    ...((await load('db/pipeline.js')) as typeof pipeline),
    ...((await load('db/pool.js')) as typeof pool),
    ...((await load('lib/clock.js')) as typeof clock),
    ...((await load('lib/log.js')) as typeof log),
  }
}

/** Loads the parts that naive.ts shares with the server. */
export async function loadKernel() {
  return {
    ...((await load('access/keyring.js')) as typeof keyring),
    ...((await load('catalog/catalog.js')) as typeof catalog),
    ...((await load('errors.js')) as typeof errors),
    ...((await load('http/authenticate.js')) as typeof authenticate),
    ...((await load('http/metrics.js')) as typeof metrics),
    ...((await load('http/route.js')) as typeof route),
    ...((await load('http/server.js')) as typeof server),
    ...((await load('lib/digest.js')) as typeof digest),
    ...((await load('lib/secret-keys.js')) as typeof secretKeys),
    ...((await load('lib/ids.js')) as typeof ids),
    ...((await load('operations/rules.js')) as typeof rules),
    ...((await load('operations/schema.js')) as typeof schema),
  }
}

/** Loads what a process needs that delivers webhooks and does nothing else. */
export async function loadDeliverer() {
  return {
    ...((await load('db/pool.js')) as typeof pool),
    ...((await load('lib/clock.js')) as typeof clock),
    ...((await load('lib/digest.js')) as typeof digest),
    ...((await load('lib/log.js')) as typeof log),
    ...((await load('operations/schema.js')) as typeof schema),
    ...((await load('webhooks/connector.js')) as typeof connector),
    ...((await load('webhooks/deliver.js')) as typeof deliver),
    ...((await load('webhooks/resolver.js')) as typeof resolver),
    ...((await load('webhooks/secrets.js')) as typeof secrets),
    ...((await load('worker/loop.js')) as typeof loop),
  }
}
