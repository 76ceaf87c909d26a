/**
 * Writes clients/wordpress/fairline.php: the PHP client and plugin.php in one file, in a namespace of their own, so that a
 * site may also use the client. Run it after a change: `node clients/wordpress/make-plugin.mjs`. A test checks that the
 * file is what this program writes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = import.meta.dirname;
const PARTS = ['../php/src/Fairline.php', '../php/src/KeySet.php', '../php/src/WaitingPage.php', 'plugin.php'];

const HEAD = `<?php

/**
 * Plugin Name: Fairline
 * Description: Sends visitors of WooCommerce product and checkout pages to a Fairline waiting room. Payment callbacks are left alone.
 * Version: 0.2.0
 * Requires at least: 6.2
 * Requires PHP: 8.1
 * WC requires at least: 8.0
 * License: Apache-2.0
 *
 * Made from clients/php and clients/wordpress/plugin.php by clients/wordpress/make-plugin.mjs; edit those.
 */

declare(strict_types=1);

namespace Fairline\\WordPress;

use Automattic\\WooCommerce\\StoreApi\\Exceptions\\RouteException;

defined('ABSPATH') || exit;
`;

/** The text of the file. */
export function makePlugin() {
  return [HEAD, ...PARTS.map((name) => bodyOf(readFileSync(join(here, name), 'utf8'), name))].join('\n');
}

/** What follows the namespace and its imports. */
function bodyOf(text, name) {
  const at = text.indexOf('namespace Fairline;\n');
  if (at === -1) throw new Error(`${name} has no namespace`);
  return text
    .slice(at + 'namespace Fairline;\n'.length)
    .replace(/^use .*;$/gm, '')
    .trimStart();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(here, 'fairline.php'), makePlugin());
}
