<?php

/** PSR-15 middleware (Slim, Mezzio, Laminas, Symfony with the bridge) that lets only admitted visitors pass. */

declare(strict_types=1);

namespace Fairline;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

final class FairlineMiddleware implements MiddlewareInterface
{
    /** The request attribute that holds the Entry of an admitted visitor. */
    public const ENTRY = 'fairline.entry';

    /**
     * @param \Closure(ServerRequestInterface): ?string $event the event that a request is about; null: it needs no token
     * @param null|\Closure(ServerRequestInterface): ?string $user the id of the user whom your site has authenticated; null: a guest
     * @param null|\Closure(ServerRequestInterface, Refused): void $onRefusal for logs and metrics
     */
    public function __construct(
        private readonly Verifier $verifier,
        private readonly ResponseFactoryInterface $responses,
        private readonly \Closure $event,
        private readonly ?\Closure $user = null,
        private readonly ?\Closure $onRefusal = null,
    ) {
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $event = ($this->event)($request);
        if ($event === null) {
            return $handler->handle($request->withoutAttribute(self::ENTRY));
        }
        $cookie = $request->hasHeader('Cookie') ? implode('; ', $request->getHeader('Cookie')) : null;
        $header = $request->hasHeader('X-Queue-Entry-Token') ? $request->getHeaderLine('X-Queue-Entry-Token') : null;
        $user = $this->user === null ? null : ($this->user)($request);
        try {
            $entry = $this->verifier->check($event, $cookie, $header, $user);
        } catch (Refused $refused) {
            if ($this->onRefusal !== null) {
                ($this->onRefusal)($request, $refused);
            }
            return $this->sendToWait($request, $event, $refused);
        }
        return $handler->handle($request->withAttribute(self::ENTRY, $entry));
    }

    /** A page load is redirected to the waiting page; everything else gets 403 with that address. */
    private function sendToWait(ServerRequestInterface $request, string $event, Refused $refused): ResponseInterface
    {
        $loads = $request->getHeaderLine('Sec-Fetch-Dest');
        $isPage = WaitingPage::isPageLoad($request->getMethod(), $loads, $request->getHeaderLine('Accept'));
        $to = WaitingPage::urlFor($event, $isPage ? $request->getRequestTarget() : null);
        if ($isPage) {
            return $this->responses->createResponse(302)->withHeader('Location', $to)->withHeader('Cache-Control', 'no-store');
        }
        $response = $this->responses->createResponse(403)->withHeader('Content-Type', 'application/json')->withHeader('Cache-Control', 'no-store');
        $response->getBody()->write(WaitingPage::errorFor($refused, $to));
        return $response;
    }
}
