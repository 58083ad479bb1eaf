// .NET 8 console application, no packages needed. Set TOKEN and run it: dotnet run
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json.Nodes;

var api = Environment.GetEnvironmentVariable("API") ?? "{{api}}";
var token = Environment.GetEnvironmentVariable("TOKEN");
using var http = new HttpClient { Timeout = TimeSpan.FromSeconds(30) };
http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);

// Repeats temporary errors. The same key makes the repetition harmless.
async Task<JsonNode> Call(HttpMethod method, string path, object? body = null, Func<HttpContent>? file = null, string? key = null)
{
    key ??= Guid.NewGuid().ToString();
    for (var attempt = 1; ; attempt++)
    {
        var wait = TimeSpan.FromSeconds(Math.Pow(2, attempt - 1));
        try
        {
            // A request cannot be sent twice, so each attempt has its own.
            using var request = new HttpRequestMessage(method, api + path);
            request.Headers.Add("Idempotency-Key", key);
            request.Content = file?.Invoke() ?? (body is null ? null : JsonContent.Create(body));
            using var answer = await http.SendAsync(request);
            var json = JsonNode.Parse(await answer.Content.ReadAsStringAsync())!;
            if (answer.IsSuccessStatusCode) return json;
            var isTemporary = (int)answer.StatusCode is 429 or 500 or 502 or 503 or 504;
            if (!isTemporary || attempt == 5) throw new ApiError((int)answer.StatusCode, json);
            wait = answer.Headers.RetryAfter?.Delta ?? wait;
        }
        catch (Exception error) when (error is HttpRequestException or TaskCanceledException && attempt < 5) { }
        await Task.Delay(wait);
    }
}

// One message; the number of the order is a good key
var message = await Call(HttpMethod.Post, "/sendings", new
{
    type = "sms",
    recipient = "+79990000000",
    payload = new { sender = "DEMO", text = "Your code is 1234" },
}, key: $"order-{Guid.NewGuid()}");
Console.WriteLine($"message {message["id"]}");

// Its status
Console.WriteLine((await Call(HttpMethod.Get, $"/sendings/{message["id"]}"))["state"]!["status"]);

// A contact list and a file with contacts
var list = await Call(HttpMethod.Post, "/contactLists", new { title = "Customers", type = "regular" });
var table = Encoding.UTF8.GetBytes("phone,first name\n+79990000001,Anna\n+79990000002,Boris\n");
var file = await Call(HttpMethod.Post, "/storage", file: () => new MultipartFormDataContent
{
    { new ByteArrayContent(table), "file", "contacts.csv" },
});
var report = await Call(HttpMethod.Put, "/contacts", new JsonObject
{
    ["ListId"] = list["id"]!.GetValue<string>(),
    ["from"] = new JsonObject { ["key"] = file["key"]!.GetValue<string>() },
});
Console.WriteLine($"imported {report["total"]}");

// A bulk to the list
var task = await Call(HttpMethod.Post, "/sendings", new
{
    type = "sms",
    recipient = new { include = new[] { list["id"]!.GetValue<string>() } },
    payload = new { sender = "DEMO", text = "Hello {firstName}" },
});
Console.WriteLine($"task {task["groupId"]}");

// The balance
var me = await Call(HttpMethod.Get, "/users/me");
Console.WriteLine($"balance {(await Call(HttpMethod.Get, $"/billings/balance/{me["id"]}"))["result"]}");

// An error names the refused fields
try
{
    await Call(HttpMethod.Post, "/sendings", new { type = "sms", recipient = "+79990000000", payload = new { sender = "DEMO" } });
}
catch (ApiError error)
{
    var fields = error.Body["data"]?.AsArray().Select(item => (string?)item!["field"]) ?? [];
    Console.WriteLine($"{error.Body["code"]} {string.Join(", ", fields)}");
}

class ApiError(int status, JsonNode body) : Exception($"{status} {body["code"]}: {body["message"]}")
{
    public int Status => status;
    public JsonNode Body => body;
}
