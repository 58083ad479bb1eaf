<?php

declare(strict_types=1);

namespace Heliograph;

/** One-time codes on your server. */
final class Codes
{
    /**
     * Closes the session of a one-time code, with the number that your server has: `$requestId` comes from the page and is not trusted. A
     * session is confirmed to one caller, once.
     *
     * @return ?string Null if the number is confirmed, otherwise the error that says why it is not: `SessionNotConfirmedException`.
     */
    public static function confirm(Heliograph $client, string $requestId, string $recipient): ?string
    {
        try {
            $client->otpHandler->checkStatusAndComplete($requestId, ['recipient' => $recipient]);
        } catch (ApiError $error) {
            // What is wrong with the session, not with the call or the token.
            if (in_array($error->status, [400, 404, 409], true)) {
                return $error->errorCode;
            }
            throw $error;
        }

        return null;
    }
}
