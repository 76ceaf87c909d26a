<?php

/** A small shop: the pages below /shop/{event} are for visitors who were admitted to that event. */

declare(strict_types=1);

use Fairline\{FileKeyStore, KeySet, Refused, Verifier, WaitingPage};

require __DIR__ . '/autoload.php';

// All PHP processes of the site share the keys in this file.
$keys = new KeySet(getenv('LINE_URL') . '/.well-known/jwks.json', new FileKeyStore(getenv('KEYS_FILE')));
$verifier = new Verifier($keys);

header('Content-Type: text/plain; charset=utf-8');
$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (!str_starts_with($path, '/shop/')) {
    exit('Welcome');
}
try {
    $event = substr($path, strlen('/shop/'));
    $entry = $verifier->check($event, $_SERVER['HTTP_COOKIE'] ?? null, $_SERVER['HTTP_X_QUEUE_ENTRY_TOKEN'] ?? null);
    echo "Tickets of $entry->event for $entry->visitor";
} catch (Refused $refused) {
    header('Cache-Control: no-store');
    header('Location: ' . WaitingPage::urlFor($event, $_SERVER['REQUEST_URI']), true, 302);
}
