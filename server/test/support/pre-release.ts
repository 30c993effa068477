// Makes a new database look as the last pre-release left it, or an older one: with the names and checksums of its migrations.
import pg from 'pg'
import type { Connection } from '../../src/db/pool.ts'

/** The SHA-256 of the migrations of the last pre-release, in their order. */
export const PRE_RELEASE_MIGRATIONS: Readonly<Record<string, string>> = {
  'migrations/0001_access.sql': '0ac3d2c2cb4edb7c383fcd11a216483181094656f787922b07e406f794280a3e',
  'migrations/0002_cards.sql': '860de037fb668b8984a6d0bfc4b4cfa988ad8b48baf7f31f2fe574aabcb37f12',
  'migrations/0003_ledger.sql': '8666b458b61ad5054252b92d83bbcdf2c993eb8849cbde902399332b187505f2',
  'migrations/0004_operations.sql': '53e5728c6fbbfec309d906b1016a17a027f504ed58d3346114f60a7be4b78468',
  'migrations/0005_events.sql': '56cdbc86eb2064f435298870e21c721ee1bf189ac9613fee0ca29177ee810325',
  'migrations/0006_books.sql': '94dea281dad3d37874a769358df0827872f401ea880a030b2d4589165f7d5d25',
  'migrations/0007_funding.sql': 'db9033f304ccbad3c3792f21f575409fec728f3cc7c854306e3107e1efd1ca39',
  'migrations/0008_entry_reference.sql': '02cc963443413f7212bef2e63832443d7e7cb77ded48fc003610fb30102e4838',
  'migrations/0009_fair_queue.sql': 'b90f11565ccabe9bf01b3ff31bf16421864859dd6573a5e1d92a9d49d43e9daf',
  'migrations/0010_exchanges.sql': 'e2f7a9ef7793751255a3d767e5bad7a21927fb03be84bb4bfb145be532f4f16f',
  'migrations/0011_fences.sql': 'f80ccd934982d0d554f3635484cac09512e5c6b3447a151c023c9992ce8d9746',
  'migrations/0012_delivery_queue.sql': '456efa5bcec44522aca684148478c60756b9bad6ce617d0d5542a6ce00d5d29c',
  'migrations/0013_heartbeat.sql': '0d292d398e929176ef74b9cbb4c32fef2494338a646c271e455aafcfb4a31157',
  'migrations/0014_suspension.sql': '65ec79c0c4c444da2fbc0a8aae58bc5824a3069671de9319d4f9d441334d39b7',
  'migrations/0015_catalogue.sql': '04e84953f88008661fb46a20bc61af2ee3bf38c835c4da5af928b1f40740201d',
  'migrations/0016_request_log.sql': '93f63e80ed04c8425b1e90fd7401283d58a740190b571ae41f5eb8b303920202',
  'migrations/0017_key_successor.sql': 'e71672a90f5a6b64f564398161ea02633c8731d69470c8f8a7559f48c6c23437',
  'migrations/0018_operator_tokens.sql': 'aba22c476f985dc644829778ced3287a10c106acff783f65df0ecfdbd354e1a9',
  'migrations/0019_people.sql': '0d5f51eb8d0f5f52553f32c7320e0983d5ece6efb8f1be1d35f0f690cd96ead8',
  'migrations/0020_console_reads.sql': '1188efff3e771cafff6170d3743e89ba3fac66d1592d4cbd95eff1bef4a01b7c',
  'migrations/0021_request_log_detail.sql': '57a96d3c4cb7beb0321d7259056456d92cb072ffe114410d1543ba57515978d2',
  'migrations/0022_seals_by_time.sql': 'eef631c7459d465f1a7a897e34a29f37e09859b465d8fa03405c5c0ba71ae4a5',
  'migrations/0023_passkeys.sql': '6dd781df58e37b68d1e64be3b91070a5cee8b35a1c9841d540c8f0a742935e50',
  'migrations/0024_totp_keys.sql': '956522c6fac39395e7b96b9e0d23ee8cc5eeda2eed03f7021a57f9eef9829e70',
  'migrations/0025_erasure.sql': 'e4aed021713a2a4a29828b1ef4aaae8d8bb588adccaa16e9cfab71738fdcf2d6',
  'migrations/0026_open_operations.sql': 'ed8b4217a878b57cc6945ca2c8a544a0e8421bafeffd76447442b4fe147c55d1',
  'migrations/0027_growth.sql': '55c53a40ff5f643fb81da29edb77a348442682ba87b86de6d1f18e9b272b37d2',
  'migrations/0028_entry_archive.sql': '1e57ba323f794866473a50dee1f6e65be7efdb997f2e766ed3ac93439c9f811e',
  'migrations/0029_rights.sql': 'b553cf87805a484551db504a3a750c0277e17eb68da7ab9e957db27b7f0f53d8',
  'migrations/0030_audit_actor.sql': 'c15ce7b22c6cc3be56d11178d6e130c2bc5106c6e6fac3a86da226dea609bcf0',
  'migrations/0031_list_filters.sql': '39bc220bf93742fe7caab22ae428316844d0c1fdb22f907dc8721761722c0fd9',
  'migrations/0032_issuer_requests.sql': '07ea6aef97fe0f8d6f458bd6c216c5253c586bedef7615edff239ec058bc2020',
}

/** Replaces the baseline by the first migrations of the pre-releases, all by default. The tables are those of the last one. */
export async function makePreRelease(connection: Connection, count = Infinity): Promise<void> {
  const migrations = Object.entries(PRE_RELEASE_MIGRATIONS).slice(0, count)
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`
    alter table audit_log drop constraint audit_log_actor_known;
    alter table audit_log add constraint audit_log_actor_known
      check ((actor_id is null) = (coalesce(actor_kind, 'program') in ('program', 'issuer'))) not valid;
    delete from schema_file where name like 'migrations/%'`)
  await client.query('insert into schema_file (name, checksum) select * from unnest($1::text[], $2::text[])', [
    migrations.map(([name]) => name),
    migrations.map(([, checksum]) => checksum),
  ])
  await client.end()
}

/** Removes what migrations after the baseline have added. No server can use the database then. */
export async function removeLaterColumns(connection: Connection): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`
    alter table operation drop column created_by;
    alter table card drop column unreported;
    alter table card_change drop column created_by;
    alter table invoice drop column created_by, drop column cancelled_by;
    alter table company drop column low_balance_sandbox, drop column low_balance_live;
    alter table person drop column mail_off, drop column time_zone;
    alter table transaction drop column merchant_category;
    drop table issuer_minute, server_minute, outgoing_mail, mail_notice`)
  await client.end()
}
