using System.Security.Cryptography;
using System.Text;

var secret = Environment.GetEnvironmentVariable("WEBHOOK_SECRET")!;
var key = Convert.FromBase64String(secret["whsec_".Length..]);
var app = WebApplication.Create();

app.MapPost("/", async (HttpRequest request) =>
{
    // The body as it was received, not parsed and written again.
    var body = await new StreamReader(request.Body, Encoding.UTF8).ReadToEndAsync();
    string id = request.Headers["webhook-id"]!, timestamp = request.Headers["webhook-timestamp"]!;
    var hash = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes($"{id}.{timestamp}.{body}"));
    var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(hash));
    // While a secret is being replaced there are two signatures.
    var isGenuine = request.Headers["webhook-signature"].ToString().Split(' ')
        .Any(one => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(one), expected));
    var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp);
    if (!isGenuine || Math.Abs(age) > 300) return Results.BadRequest();
    Console.WriteLine(body);
    return Results.Ok();
});
app.Run("http://localhost:8000");
