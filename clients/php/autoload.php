<?php

/** For sites without Composer: `require 'autoload.php';`. */

declare(strict_types=1);

require_once __DIR__ . '/src/Fairline.php';
require_once __DIR__ . '/src/KeySet.php';
require_once __DIR__ . '/src/WaitingPage.php';
if (interface_exists(Psr\Http\Server\MiddlewareInterface::class)) {
    require_once __DIR__ . '/src/FairlineMiddleware.php';
}
