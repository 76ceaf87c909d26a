<?php

/** The PSR-15 middleware with Nyholm's PSR-7 messages, where they are installed. */

declare(strict_types=1);

use Fairline\FairlineMiddleware;
use Fairline\WaitingPage;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

$tests = [
    'the waiting page is told only pages of this site' => function (): void {
        expectSame('/queue/a?to=%2Fshop%3Fx%3D1', WaitingPage::urlFor('a', '/shop?x=1'), 'page');
        foreach (['//evil.example', 'https://evil.example', '/\\evil.example', "/a\nb", '/' . str_repeat('x', 1024), null] as $page) {
            expectSame('/queue/a', WaitingPage::urlFor('a', $page), "page $page");
        }
        expectSame('/queue', WaitingPage::urlFor("a\r\nb", '/shop'), 'event');
    },
];

@include_once 'Nyholm/Psr7/autoload.php';
if (!class_exists(FairlineMiddleware::class) || !class_exists(Nyholm\Psr7\Factory\Psr17Factory::class)) {
    echo "Skipped: the middleware. On Debian install php8.2-psr and php-nyholm-psr7.\n";
    return $tests;
}

/** Protects /shop/{event}; everything else is open. */
function askMiddleware(string $method, string $target, array $headers): ResponseInterface
{
    $factory = new Nyholm\Psr7\Factory\Psr17Factory();
    $good = readVectors()['vectors'][0];
    $request = new Nyholm\Psr7\ServerRequest($method, $target, $headers);
    $handler = new class ($factory) implements Psr\Http\Server\RequestHandlerInterface {
        public function __construct(private $factory)
        {
        }

        public function handle(ServerRequestInterface $request): ResponseInterface
        {
            $response = $this->factory->createResponse(200);
            $response->getBody()->write($request->getAttribute(FairlineMiddleware::ENTRY)?->visitor ?? 'nobody');
            return $response;
        }
    };
    $middleware = new FairlineMiddleware(
        createVerifier(fn (): float => $good['now']),
        $factory,
        event: fn ($request) => str_starts_with($request->getUri()->getPath(), '/shop/') ? substr($request->getUri()->getPath(), 6) : null,
        user: fn ($request) => $request->hasHeader('X-User') ? $request->getHeaderLine('X-User') : null,
    );
    return $middleware->process($request->withAttribute(FairlineMiddleware::ENTRY, 'forged'), $handler);
}

return $tests + [
    'the middleware passes, redirects and refuses' => function (): void {
        $cookie = ['Cookie' => readVectors()['vectors'][0]['cookie']];
        $page = ['Accept' => 'text/html'];
        $table = [
            ['GET', '/about', [], 200, '', 'nobody'],
            ['GET', '/shop/concert', $cookie, 200, '', 'guest:'],
            ['GET', '/shop/concert?row=4&x=%2F', $page, 302, '/queue/concert?to=%2Fshop%2Fconcert%3Frow%3D4%26x%3D%252F', ''],
            ['GET', '/shop/other', $cookie + $page, 302, '/queue/other?to=%2Fshop%2Fother', ''],
            ['GET', '/shop/concert', ['Sec-Fetch-Dest' => 'empty'] + $page, 403, '', '"code":"ENTRY_TOKEN_REQUIRED"'],
            ['POST', '/shop/concert', $page, 403, '', '"redirectTo":"/queue/concert"'],
            ['GET', '/shop/', $page, 302, '/queue', ''],
            ['GET', '/shop/concert', ['X-User' => 'mina'] + $cookie, 403, '', '"code":"ENTRY_TOKEN_INVALID"'],
        ];
        foreach ($table as [$method, $target, $headers, $status, $location, $part]) {
            $response = askMiddleware($method, $target, $headers);
            $what = "$method $target " . json_encode($headers);
            expectSame([$status, $location], [$response->getStatusCode(), $response->getHeaderLine('Location')], $what);
            expectSame(true, $part === '' || str_contains((string) $response->getBody(), $part), "$what: {$response->getBody()}");
            expectSame($status === 200 ? '' : 'no-store', $response->getHeaderLine('Cache-Control'), $what);
        }
    },
    'cookies that come one by one are joined' => function (): void {
        $cookies = explode('; ', readVectors()['vectors'][0]['cookie']);
        expectSame(200, askMiddleware('GET', '/shop/concert', ['Cookie' => $cookies])->getStatusCode(), 'status');
    },
];
