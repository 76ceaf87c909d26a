<?php

/** Where visitors without an admission are sent. */

declare(strict_types=1);

namespace Fairline;

final class WaitingPage
{
    private const MAX_WANTED_PAGE = 1024;

    /** Browsers say what they load. A form or a script would lose its content by a redirect. */
    public static function isPageLoad(string $method, string $loads, string $accept): bool
    {
        if ($method !== 'GET' && $method !== 'HEAD') {
            return false;
        }
        return $loads === '' ? str_contains($accept, 'text/html') : $loads === 'document';
    }

    /** $page: path and query of the page that the visitor wanted. The line checks it again. */
    public static function urlFor(string $event, ?string $page): string
    {
        if (preg_match('/\A[A-Za-z0-9_-]{1,64}\z/', $event) !== 1) {
            return '/queue';
        }
        $isOwn = $page !== null && strlen($page) <= self::MAX_WANTED_PAGE
            && preg_match('~\A/(?:[\x21\x22\x24-\x2e\x30-\x5b\x5d-\x7e][\x21\x22\x24-\x5b\x5d-\x7e]*)?\z~', $page) === 1;
        return "/queue/$event" . ($isOwn ? '?to=' . rawurlencode($page) : '');
    }

    public static function errorFor(Refused $refused, string $to): string
    {
        $error = ['code' => $refused->refusal, 'message' => 'This page needs an admission of the waiting room.'];
        return json_encode(['error' => $error, 'redirectTo' => $to], JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    }
}
